/* Takes the one call back that it makes. */
#include "hcct/hcct.h"

int main(void)
{
    hcct_stop();
    hcct_reset();
    return 0;
}
