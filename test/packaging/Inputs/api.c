#include <hcct/hcct.h>

int main(void)
{
    hcct_dump();
    return hcct_context() ? 0 : 1;
}
