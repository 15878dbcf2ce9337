/*
 * The yardstick of `npm run bench`: HTINF (Algorithm 1 of Huang, Dai and Huang, ICML 2022) as one would write it down in C.
 * Newton starts from the root of the round before, takes pow() of every term, and ends when the probabilities sum to 1 within 1e-12.
 * Only the benchmark compiles it: gcc -O3 -march=native yardstick.c -lm
 *
 *   yardstick <arms> <alpha> <sigma> <rounds> < table of 4096 losses (doubles)
 *
 * prints the nanoseconds of a round, and the probability of arm 0 at the end (which also keeps the compiler from leaving work out).
 * The losses are those that the policies of the library are timed on: see packages/bench/src/policies/lossTable.ts.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define LOSSES 4096
#define TOLERANCE 1e-12

static double table[LOSSES];

static uint64_t state = 1;

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014), to 53 bits in [0, 1). */
static double uniform(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Time on the processor. */
static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int main(int count, char **words) {
  if (count != 5 || fread(table, sizeof(double), LOSSES, stdin) != LOSSES) {
    fprintf(stderr, "usage: yardstick <arms> <alpha> <sigma> <rounds> < table\n");
    return 2;
  }
  const int arms = atoi(words[1]);
  const double alpha = atof(words[2]);
  const double sigma = atof(words[3]);
  const long rounds = atol(words[4]);

  const double q = alpha / (alpha - 1);
  const double theta = 1 - pow(2, -(alpha - 1) / (2 * alpha - 1));
  double *losses = calloc((size_t)arms, sizeof(double));
  double *weights = calloc((size_t)arms, sizeof(double));
  if (losses == NULL || weights == NULL) return 1;

  double root = -1e300;
  const double start = nanoseconds();
  for (long n = 0; n < rounds; n++) {
    const double rate = 1 / (sigma * pow((double)(n + 1), 1 / alpha));

    /* The sum of (rate * (L_i - root))^-q must be 1, and rises with the root. The root is at most min L - 1 / rate. */
    double smallest = losses[0];
    for (int i = 1; i < arms; i++)
      if (losses[i] < smallest) smallest = losses[i];
    double lowest = smallest - pow(arms, 1 / q) / rate;
    double highest = smallest - 1 / rate;
    root = root < lowest ? lowest : root > highest ? highest : root;
    double sum;
    for (;;) {
      double slope = 0;
      sum = 0;
      for (int i = 0; i < arms; i++) {
        const double gap = losses[i] - root;
        weights[i] = pow(rate * gap, -q);
        sum += weights[i];
        slope += weights[i] / gap;
      }
      if (fabs(sum - 1) <= TOLERANCE) break;
      root -= (sum - 1) / (q * slope);
      if (root > highest) root = highest;
    }

    double rest = uniform() * sum;
    int arm = 0;
    while (arm < arms - 1 && (rest -= weights[arm]) >= 0) arm++;

    const double probability = weights[arm] / sum;
    const double threshold = theta * pow(probability, 1 / alpha) / rate;
    const double loss = (arm == 0 ? 0.5 : 1) * table[((uint32_t)n * 1597u + (uint32_t)arm) % LOSSES];
    if (fabs(loss) <= threshold) losses[arm] += loss / probability;
  }
  printf("%.17g %.17g\n", (nanoseconds() - start) / (double)rounds, weights[0]);
  free(losses);
  free(weights);
  return 0;
}
