/* See ground.h. */
#include "decoder/claim/ground.h"

#include "decoder/store/estimate.h"
#include "format/names.h"

/* heap_sample: of the sum of a column, by what its cells say. */
static double variance_of(const struct hcct_profile *profile, const struct hcct_file_column *column)
{
    const struct hcct_file_cell *cells = hcct_profile_cells(profile, column);
    double sum = 0;
    for (uint32_t i = 0; i < column->count; i++) {
        double number = (double)cells[i].count;
        if (!cells[i].mark)
            return -1;
        sum += cells[i].mark < UINT32_MAX ? number * number / cells[i].mark : 0;
    }
    return sum;
}

static void add_samples(struct hcct_ground *ground, const struct hcct_profile *profile,
                        const struct hcct_file_column *column)
{
    ground->period = column->period;
    bool by_chance = hcct_profile_main(profile)->guarantee == HCCT_GUARANTEE_PROBABILISTIC;
    ground->has_samples = by_chance && !(ground->delta > 0); /* else it is the algorithm's bound */
    ground->variance = ground->has_samples ? variance_of(profile, column) : 0;
}

/* A phase's counts have the run's floor, which may be more of its N than epsilon is of the run's. */
static void narrow_to_phase(struct hcct_ground *ground, const struct hcct_profile *profile)
{
    double reached = ground->total ? (double)ground->floor / (double)ground->total : 0;
    if (ground->is_bounded && reached > ground->epsilon)
        ground->epsilon = reached < 1 ? reached : 1;
    if (ground->has_estimate)
        ground->estimate =
            hcct_estimate_of_phase(profile->estimate, ground->total, hcct_profile_main(profile)->total);
}

/* hcct_sum stops there. */
static bool has_stopped(const struct hcct_profile *profile, const struct hcct_file_column *column)
{
    return column->total == UINT64_MAX || hcct_profile_main(profile)->total == UINT64_MAX;
}

static enum hcct_sure sure_of(const struct hcct_ground *ground, const struct hcct_profile *profile,
                              const struct hcct_file_column *column, uint32_t guarantee)
{
    bool by_chance = guarantee == HCCT_GUARANTEE_PROBABILISTIC && !(ground->delta > 0);
    if (has_stopped(profile, column))
        return HCCT_SURE_NOTHING;
    if (ground->has_estimate || ground->has_samples || ground->noun->by_samples || by_chance)
        return HCCT_SURE_CHANCE;
    return guarantee == HCCT_GUARANTEE_EXACT ? HCCT_SURE_EXACT : HCCT_SURE_UPPER;
}

/* The word of files for programs. */
static const char *guarantee_name(enum hcct_sure sure, uint32_t guarantee)
{
    if (sure == HCCT_SURE_NOTHING)
        return "none";
    return hcct_guarantee_names[sure == HCCT_SURE_CHANCE ? HCCT_GUARANTEE_PROBABILISTIC : guarantee];
}

void hcct_ground_make(struct hcct_ground *ground, const struct hcct_profile *profile,
                      const struct hcct_choice *choice, const struct hcct_file_column *column)
{
    const struct hcct_file_run *run = profile->run;
    const char *unit = hcct_profile_string(profile, column->unit);
    uint32_t guarantee = column->guarantee;
    *ground = (struct hcct_ground){ .noun = hcct_noun_of(run->metric, unit),
                                    .metric = hcct_metric_names[run->metric],
                                    .title = hcct_metric_titles[run->metric],
                                    .unit = unit,
                                    .mode = hcct_mode_names[run->mode],
                                    .algorithm = hcct_algorithm_names[run->algorithm],
                                    .phase = choice->phase,
                                    .value = choice->value,
                                    .total = column->total,
                                    .floor = column->floor,
                                    .missing = column->missing,
                                    .epsilon = run->epsilon,
                                    .delta = (double)run->delta / HCCT_DELTA_ONE,
                                    .is_bounded = run->mode == HCCT_MODE_HCCT,
                                    .is_inferred = run->scheme == HCCT_SCHEME_HEIGHTS,
                                    .has_estimate = profile->estimate != NULL };
    if (profile->estimate)
        ground->estimate = *profile->estimate;
    if (ground->noun->is_heap)
        add_samples(ground, profile, column);
    if (choice->phase) {
        narrow_to_phase(ground, profile);
    } else if (choice->value) { /* has no errors, but for `missing` */
        ground->epsilon = 0;
        if (!ground->has_samples)
            guarantee = HCCT_GUARANTEE_EXACT;
    }
    ground->sure = sure_of(ground, profile, column, guarantee);
    if (ground->sure == HCCT_SURE_EXACT)
        ground->epsilon = 0;
    ground->since = ground->sure == HCCT_SURE_UPPER ? hcct_profile_note(profile, HCCT_NOTE_BOUNDED) : 0;
    ground->guarantee = guarantee_name(ground->sure, guarantee);
}
