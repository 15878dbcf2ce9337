/*
 * The yardsticks of `npm run bench`: HTINF (Algorithm 1 of Huang, Dai and Huang, ICML 2022) in C, in two versions.
 *
 *   pow    the straightforward version for any alpha: Newton's method starts from the root of the previous round, takes pow() of every term, and ends
 *          when the probabilities sum to 1 within 1e-12
 *   plain  only for alpha = 2, which needs no power: the same search by multiplication and division, to 1e-9. "As fast as C" has to mean this version.
 *
 * Only the benchmark compiles it: gcc -O3 -march=native yardstick.c -lm
 *
 *   yardstick pow|plain <arms> <alpha> <sigma> <rounds> < table of 4096 losses (doubles)
 *
 * prints the nanoseconds per round, and the probability of arm 0 at the end (which also keeps the compiler from leaving work out).
 * The policies of the library are timed on the same losses: see packages/bench/src/policies/lossTable.ts.
 */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOSSES 4096

static double table[LOSSES];

static uint64_t state = 1;

/* splitmix64 (Steele, Lea and Flood, OOPSLA 2014), to 53 bits in [0, 1). */
static double uniform(void) {
  uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* Processor time. */
static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The loss of an arm in a round, counted from 0. */
static double loss_of(long round, int arm) {
  return (arm == 0 ? 0.5 : 1) * table[((uint32_t)round * 1597u + (uint32_t)arm) % LOSSES];
}

/* Draws an arm with probability weight / sum. */
static int sample(const double *weights, int arms, double sum) {
  double rest = uniform() * sum;
  int arm = 0;
  while (arm < arms - 1 && (rest -= weights[arm]) >= 0) arm++;
  return arm;
}

static double smallest_of(const double *losses, int arms) {
  double smallest = losses[0];
  for (int i = 1; i < arms; i++)
    if (losses[i] < smallest) smallest = losses[i];
  return smallest;
}

static void play_pow(double *losses, double *weights, int arms, double alpha, double sigma, long rounds) {
  const double q = alpha / (alpha - 1);
  const double theta = 1 - pow(2, -(alpha - 1) / (2 * alpha - 1));
  double root = -1e300;
  for (long n = 0; n < rounds; n++) {
    const double rate = 1 / (sigma * pow((double)(n + 1), 1 / alpha));

    /* The sum of (rate * (L_i - root))^-q must be 1, and rises with the root. The root is at most min L - 1 / rate. */
    const double smallest = smallest_of(losses, arms);
    const double lowest = smallest - pow(arms, 1 / q) / rate;
    const double highest = smallest - 1 / rate;
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
      if (fabs(sum - 1) <= 1e-12) break;
      root -= (sum - 1) / (q * slope);
      if (root > highest) root = highest;
    }

    const int arm = sample(weights, arms, sum);
    const double probability = weights[arm] / sum;
    const double threshold = theta * pow(probability, 1 / alpha) / rate;
    const double loss = loss_of(n, arm);
    if (fabs(loss) <= threshold) losses[arm] += loss / probability;
  }
}

/* In units of h = 1 / rate: each term is the square of h / gap, and the threshold, theta * h * sqrt(x), is theta * x * gap. */
static void play_plain(double *losses, double *weights, int arms, double sigma, long rounds) {
  const double theta = 1 - pow(2, -1.0 / 3);
  const double widest = sqrt(arms);
  double root = -1e300;
  for (long n = 0; n < rounds; n++) {
    const double h = sigma * sqrt((double)(n + 1));
    const double smallest = smallest_of(losses, arms);
    const double lowest = smallest - widest * h;
    const double highest = smallest - h;
    root = root < lowest ? lowest : root > highest ? highest : root;
    double sum;
    for (;;) {
      double slope = 0;
      sum = 0;
      for (int i = 0; i < arms; i++) {
        const double ratio = h / (losses[i] - root);
        weights[i] = ratio * ratio;
        sum += weights[i];
        slope += weights[i] * ratio;
      }
      if (fabs(sum - 1) <= 1e-9) break;
      root -= (sum - 1) * h / (2 * slope);
      if (root > highest) root = highest;
    }

    const int arm = sample(weights, arms, sum);
    const double probability = weights[arm] / sum;
    const double threshold = theta * probability * (losses[arm] - root);
    const double loss = loss_of(n, arm);
    if (fabs(loss) <= threshold) losses[arm] += loss / probability;
  }
}

int main(int count, char **words) {
  const int plain = count == 6 && strcmp(words[1], "plain") == 0;
  if (count != 6 || (plain ? atof(words[3]) != 2 : strcmp(words[1], "pow") != 0) || fread(table, sizeof(double), LOSSES, stdin) != LOSSES) {
    fprintf(stderr, "usage: yardstick pow|plain <arms> <alpha; plain: 2> <sigma> <rounds> < table\n");
    return 2;
  }
  const int arms = atoi(words[2]);
  const double sigma = atof(words[4]);
  const long rounds = atol(words[5]);
  double *losses = calloc((size_t)arms, sizeof(double));
  double *weights = calloc((size_t)arms, sizeof(double));
  if (losses == NULL || weights == NULL) return 1;
  const double start = nanoseconds();
  if (plain) play_plain(losses, weights, arms, sigma, rounds);
  else play_pow(losses, weights, arms, atof(words[3]), sigma, rounds);
  printf("%.17g %.17g\n", (nanoseconds() - start) / (double)rounds, weights[0]);
  free(losses);
  free(weights);
  return 0;
}
