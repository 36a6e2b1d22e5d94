/* The least that a call has to do, in C: the same bytes read, the same bytes written, as many exp, cos,
   tanh and log, and no element that waits for another. Each takes its inputs, the result and the size.

   Compiled with -ffast-math: sums may be taken in any order, and functions of several elements at once
   (glibc's libmvec). */

#include <math.h>

/* In 32 partial sums: a single one would wait for each addition before the next. */
static double sum(const double *x, long n) {
  enum { parts = 32 };
  double partial[parts] = {0.0}, total = 0.0;
  long i = 0;
  for (; i + parts <= n; i += parts)
    for (long part = 0; part < parts; part++)
      partial[part] += x[i + part];
  for (; i < n; i++)
    total += x[i];
  for (long part = 0; part < parts; part++)
    total += partial[part];
  return total;
}

void floor_memory(const double *x, double *result, long n) { *result = sum(x, n); }

void floor_math(const double *x, double *result, long n) {
  double total = 0.0;
  for (long i = 0; i < n; i++)
    total += exp(x[i]) + cos(x[i]) + tanh(x[i]);
  *result = total;
}

void each_exp(const double *x, double *result, long n) {
  for (long i = 0; i < n; i++)
    result[i] = exp(x[i]);
}

void each_cos(const double *x, double *result, long n) {
  for (long i = 0; i < n; i++)
    result[i] = cos(x[i]);
}

void each_tanh(const double *x, double *result, long n) {
  for (long i = 0; i < n; i++)
    result[i] = tanh(x[i]);
}

void each_copied(const double *x, double *result, long n) {
  for (long i = 0; i < n; i++)
    result[i] = x[i];
}

void each_sum(const double *x, const double *y, double *result, long n) {
  for (long i = 0; i < n; i++)
    result[i] = x[i] + y[i];
}

void chain_sums(const double *x, const double *y, double *totals, long n) {
  const long steps = 1000;
  for (long i = 0; i < n; i++)
    totals[i] = 0.0;
  for (long t = 0; t < steps; t++)
    for (long i = 0; i < n; i++)
      totals[i] += x[t * n + i] + y[t * n + i];
}

/* The logarithm of a positive number: of another one, libmvec falls back to the scalar function. */
void each_log_thrice(const double *y, double *result, long n) {
  for (long i = 0; i < n; i++) {
    double log_y = log(1.0 + y[i] * y[i]);
    result[3 * i] = result[3 * i + 1] = result[3 * i + 2] = log_y;
  }
}

/* By blocks of rows: exp of one block overlaps with reading the next. */
void rows_and_exp(const double *x, const double *y, const double *beta, double *result, long n) {
  enum { p = 10, rows = 256 };
  double total = 0.0;
  for (long start = 0; start < n; start += rows) {
    long end = start + rows < n ? start + rows : n;
    for (long i = start; i < end; i++)
      total += exp(y[i]);
    total += sum(x + start * p, (end - start) * p);
  }
  for (int j = 0; j < p; j++)
    result[j] = total - beta[j];
}
