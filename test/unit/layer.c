/* A layer of the runtime, with all objects of the layers below it and none of those above: that it links is
 * the test, and that a program runs with it. */
int main(void)
{
    return 0;
}
