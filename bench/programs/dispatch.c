/* A tree of shapes behind tables of function pointers, as virtual calls are compiled: indirect calls,
 * callbacks, qsort.
 * Usage: dispatch ROUNDS */
#include <stdio.h>
#include <stdlib.h>

struct shape;

struct shape_class {
    double (*area)(const struct shape *shape);
    void (*scale)(struct shape *shape, double by);
    void (*visit)(struct shape *shape, void (*each)(struct shape *shape, void *with), void *with);
};

struct shape {
    const struct shape_class *is;
    double width, height;
    struct shape *parts[4];
};

static void visit_alone(struct shape *shape, void (*each)(struct shape *, void *), void *with)
{
    each(shape, with);
}

static void scale_both(struct shape *shape, double by)
{
    shape->width *= by;
    shape->height *= by;
}

static double rectangle_area(const struct shape *shape)
{
    return shape->width * shape->height;
}

static double ellipse_area(const struct shape *shape)
{
    return 3.14159 / 4 * shape->width * shape->height;
}

static double triangle_area(const struct shape *shape)
{
    return shape->width * shape->height / 2;
}

static double group_area(const struct shape *shape)
{
    double area = 0;
    for (int i = 0; i < 4; i++)
        area += shape->parts[i]->is->area(shape->parts[i]);
    return area;
}

static void group_scale(struct shape *shape, double by)
{
    for (int i = 0; i < 4; i++)
        shape->parts[i]->is->scale(shape->parts[i], by);
}

static void group_visit(struct shape *shape, void (*each)(struct shape *, void *), void *with)
{
    each(shape, with);
    for (int i = 0; i < 4; i++)
        shape->parts[i]->is->visit(shape->parts[i], each, with);
}

static const struct shape_class classes[] = {
    { rectangle_area, scale_both, visit_alone },
    { ellipse_area, scale_both, visit_alone },
    { triangle_area, scale_both, visit_alone },
    { group_area, group_scale, group_visit },
};

static struct shape *make(int depth, int *serial)
{
    struct shape *shape = calloc(1, sizeof *shape);
    if (!shape)
        exit(2);
    int number = (*serial)++;
    *shape = (struct shape){ .is = &classes[depth > 0 ? 3 : number % 3],
                             .width = 1 + number % 7,
                             .height = 1 + number % 5 };
    for (int i = 0; depth > 0 && i < 4; i++)
        shape->parts[i] = make(depth - 1, serial);
    return shape;
}

struct list {
    struct shape *shapes[400];
    int length;
};

static void add_to_list(struct shape *shape, void *with)
{
    struct list *list = with;
    list->shapes[list->length++] = shape;
}

static void swap_sides(struct shape *shape, void *unused)
{
    (void)unused;
    double width = shape->width;
    shape->width = shape->height;
    shape->height = width;
}

static int by_area(const void *a, const void *b)
{
    const struct shape *x = *(struct shape *const *)a, *y = *(struct shape *const *)b;
    double difference = x->is->area(x) - y->is->area(y);
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv)
{
    static struct list list;
    int serial = 0;
    double sum = 0;
    struct shape *picture = make(4, &serial);
    for (int round = argc > 1 ? atoi(argv[1]) : 1; round > 0; round--) {
        picture->is->scale(picture, round % 2 ? 2 : 0.5);
        picture->is->visit(picture, swap_sides, NULL);
        sum += picture->is->area(picture);
        if (round % 64)
            continue;
        list.length = 0;
        picture->is->visit(picture, add_to_list, &list);
        qsort(list.shapes, (size_t)list.length, sizeof list.shapes[0], by_area);
    }
    printf("%.0f\n", sum);
    return 0;
}
