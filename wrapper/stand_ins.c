/* What the runtime's numbering needs of the rest of the runtime, for numbers.c: one object, and the plain
 * meter. */
#include "runtime/core/meter.h"
#include "runtime/objects/registry.h"

static struct hcct_object object;
struct hcct_object *hcct_registry_objects = &object;

static const struct hcct_meter plain;
const struct hcct_meter *hcct_meter = &plain;

size_t hcct_registry_object_count(void)
{
    return 1;
}
