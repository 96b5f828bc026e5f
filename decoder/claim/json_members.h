/* What a column claims, as members of the format `json`, which hcct-decode(1) describes. */
#ifndef HCCT_DECODER_CLAIM_JSON_MEMBERS_H
#define HCCT_DECODER_CLAIM_JSON_MEMBERS_H

#include "decoder/claim/ground.h"
#include "decoder/text/json_writer.h"

/* mode, algorithm, guarantee, saturated */
void hcct_claim_json_kind(struct hcct_json *json, const struct hcct_ground *ground);
/* epsilon, delta. `may_lack_hot`: a context that no file kept may be hot. */
void hcct_claim_json_bound(struct hcct_json *json, const struct hcct_ground *ground, bool may_lack_hot);
/* estimate, of what was counted in bursts or samples */
void hcct_claim_json_estimate(struct hcct_json *json, const struct hcct_ground *ground);
/* period, low, high, of a sampled heap */
void hcct_claim_json_samples(struct hcct_json *json, const struct hcct_ground *ground);
/* The interval of a context's count where that is an estimate. `trials`: 0 if they are not known. */
void hcct_claim_json_range(struct hcct_json *json, const struct hcct_ground *ground, uint64_t count,
                           uint64_t error, uint32_t trials);

#endif
