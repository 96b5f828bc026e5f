/* See debug.h. */
#include "pass/emit/debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hcct/abi.h"
#include "pass/emit/words.h"
#include "pass/unit/bridge.h"

LLVMValueRef hcct_debug_string(struct hcct_unit *unit, const char *text, size_t length)
{
    if (!length)
        return NULL;
    char *name = malloc(length + sizeof "hcct.text.");
    if (!name)
        return NULL;
    /* Not those of the compile steps, which the linker may have renamed. */
    memcpy(name, unit->linking ? "hcct.link." : "hcct.text.", 10);
    memcpy(name + 10, text, length);
    name[10 + length] = 0;
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, name);
    if (!global) {
        LLVMValueRef value = LLVMConstStringInContext(unit->context, text, (unsigned)length, false);
        global = LLVMAddGlobal(unit->module, LLVMTypeOf(value), name);
        LLVMSetInitializer(global, value);
        LLVMSetGlobalConstant(global, true);
        LLVMSetLinkage(global, LLVMPrivateLinkage);
        LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
        LLVMSetAlignment(global, 1);
    }
    free(name);
    return global;
}

LLVMValueRef hcct_debug_file(struct hcct_unit *unit, LLVMMetadataRef file)
{
    unsigned name_length = 0, folder_length = 0;
    if (!file)
        return NULL;
    const char *name = LLVMDIFileGetFilename(file, &name_length);
    const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
    if (!name_length || name[0] == '/' || !folder_length || folder[0] != '/')
        return hcct_debug_string(unit, name, name_length);
    while (name_length > 2 && name[0] == '.' && name[1] == '/') {
        name += 2;
        name_length -= 2;
    }
    char *path = malloc((size_t)folder_length + 1 + name_length);
    if (!path)
        return NULL;
    memcpy(path, folder, folder_length);
    path[folder_length] = '/';
    memcpy(path + folder_length + 1, name, name_length);
    LLVMValueRef string = hcct_debug_string(unit, path, (size_t)folder_length + 1 + name_length);
    free(path);
    return string;
}

LLVMValueRef hcct_debug_subprogram_name(struct hcct_unit *unit, LLVMMetadataRef subprogram, bool linkage)
{
    size_t length = 0;
    const char *text = linkage ? hcct_bridge_subprogram_linkage_name(subprogram, &length) : "";
    if (!length)
        text = hcct_bridge_subprogram_name(subprogram, &length);
    return hcct_debug_string(unit, text, length);
}

/* One global per subprogram and module, found again by name. */
static LLVMValueRef subprogram_of(struct hcct_unit *unit, LLVMMetadataRef subprogram)
{
    char name[64];
    snprintf(name, sizeof name, "hcct.%s.%p", unit->linking ? "subprograms" : "subprogram",
             (void *)subprogram);
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, name);
    if (global)
        return global;
    global = hcct_words_array(unit, sizeof(struct hcct_subprogram), name);
    LLVMValueRef words[sizeof(struct hcct_subprogram) / 4];
    LLVMValueRef linkage = hcct_debug_subprogram_name(unit, subprogram, true);
    LLVMValueRef source = hcct_debug_subprogram_name(unit, subprogram, false);
    struct hcct_words out = { unit, global, words, 0 };
    hcct_words_put_distance(&out, linkage == source ? NULL : linkage);
    hcct_words_put_distance(&out, source);
    hcct_words_put_distance(&out, hcct_debug_file(unit, LLVMDIScopeGetFile(subprogram)));
    hcct_words_put(&out, LLVMDISubprogramGetLine(subprogram));
    hcct_words_finish(&out);
    return global;
}

/* One global per frame and module, found again by name. Recursive: as deep as the inliner went. */
LLVMValueRef hcct_debug_inlined(struct hcct_unit *unit, LLVMMetadataRef location)
{
    char name[64];
    LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(location);
    if (!outer)
        return NULL;
    LLVMMetadataRef subprogram = hcct_bridge_scope_subprogram(LLVMDILocationGetScope(location));
    snprintf(name, sizeof name, "hcct.%s.%p.%p", unit->linking ? "within" : "inlined", (void *)outer,
             (void *)subprogram);
    LLVMValueRef global = LLVMGetNamedGlobal(unit->module, name);
    if (global)
        return global;
    LLVMValueRef outer_frame = hcct_debug_inlined(unit, outer);
    LLVMMetadataRef around = LLVMDILocationGetScope(outer);
    LLVMValueRef call_file = hcct_debug_file(unit, LLVMDIScopeGetFile(around));
    LLVMValueRef own_file = hcct_debug_file(unit, LLVMDIScopeGetFile(hcct_bridge_scope_subprogram(around)));
    global = hcct_words_array(unit, sizeof(struct hcct_inlined), name);
    LLVMValueRef words[sizeof(struct hcct_inlined) / 4];
    struct hcct_words out = { unit, global, words, 0 };
    hcct_words_put_distance(&out, subprogram_of(unit, subprogram));
    hcct_words_put_distance(&out, outer_frame);
    hcct_words_put_distance(&out, call_file == own_file ? NULL : call_file);
    hcct_words_put(&out, LLVMDILocationGetLine(outer));
    hcct_words_put(&out, LLVMDILocationGetColumn(outer) | (uint32_t)hcct_bridge_discriminator(outer) << 16);
    hcct_words_finish(&out);
    return global;
}
