/* Objects that are unloaded. Their records are copied, as their functions were counted. */
#ifndef HCCT_RUNTIME_OBJECTS_UNLOAD_H
#define HCCT_RUNTIME_OBJECTS_UNLOAD_H

/* Finds objects that were unloaded without a call of __hcct_unload, so that nobody reads their records. Takes
 * no lock of the loader. Gives up after a second if another thread keeps the registry's lock. Keeps errno. */
void hcct_unload_unseen(void);

#endif
