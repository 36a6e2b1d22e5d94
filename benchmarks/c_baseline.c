/* The workloads' formulas in plain C, compiled for the machine when they are timed: what the compiled
   backends are held against. Each takes its inputs, the result and the size. */

#include <math.h>
#include <stdlib.h>

void elementwise(const double *x, double *result, long n) {
  double total = 0.0;
  for (long i = 0; i < n; i++)
    total += exp(-0.5 * x[i] * x[i]) * cos(3.0 * x[i]) + x[i] * tanh(x[i]);
  *result = total;
}

void recursion(const double *e, double *path, long n) {
  double x = 0.0;
  for (long t = 0; t < n; t++)
    path[t] = x = tanh(0.9 * x) + e[t];
}

static double log_target(double x) {
  double d = x * x - 1.0;
  return -d * d;
}

void metropolis(const double *increments, const double *log_uniforms, double *path, long n) {
  double x = 1.0, log_p = 0.0;
  for (long t = 0; t < n; t++) {
    double y = x + increments[t], log_q = log_target(y);
    if (log_uniforms[t] < log_q - log_p) {
      x = y;
      log_p = log_q;
    }
    path[t] = x;
  }
}

/* All chains take a step together, as in the other backends: of one chain, each operation waits for
   the one before. */
void metropolis_chains(const double *increments, const double *log_uniforms, double *means, long n) {
  const long steps = 1000;
  double *x = malloc(n * sizeof *x), *log_p = malloc(n * sizeof *log_p);
  for (long i = 0; i < n; i++) {
    x[i] = 1.0;
    log_p[i] = means[i] = 0.0;
  }
  for (long t = 0; t < steps; t++)
    for (long i = 0; i < n; i++) {
      double y = x[i] + increments[t * n + i], log_q = log_target(y);
      int accepted = log_uniforms[t * n + i] < log_q - log_p[i];
      x[i] = accepted ? y : x[i];
      log_p[i] = accepted ? log_q : log_p[i];
      means[i] += x[i];
    }
  for (long i = 0; i < n; i++)
    means[i] /= steps;
  free(x);
  free(log_p);
}

void kalman(const double *y, double *filtered, long n) {
  double level = 0.0, slope = 0.0, p11 = 20.1, p12 = 10.0, p22 = 10.01, log_likelihood = 0.0;
  for (long t = 0; t < n; t++) {
    double v = y[t] - level, s = p11 + 1.0, k1 = p11 / s, k2 = p12 / s;
    level += k1 * v;
    slope += k2 * v;
    log_likelihood -= 0.5 * (log(2.0 * M_PI * s) + v * v / s);
    filtered[3 * t] = level;
    filtered[3 * t + 1] = slope;
    filtered[3 * t + 2] = log_likelihood;
    level += slope;
    double f11 = p11 - k1 * p11, f12 = p12 - k1 * p12, f22 = p22 - k2 * p12;
    p11 = f11 + 2.0 * f12 + f22 + 0.1;
    p12 = f12 + f22;
    p22 = f22 + 0.01;
  }
}

void logistic_gradient(const double *x, const double *y, const double *beta, double *gradient, long n) {
  enum { p = 10 };
  for (int j = 0; j < p; j++)
    gradient[j] = -beta[j];
  for (long i = 0; i < n; i++) {
    const double *row = x + i * p;
    double eta = 0.0;
    for (int j = 0; j < p; j++)
      eta += row[j] * beta[j];
    double residual = y[i] - 1.0 / (1.0 + exp(-eta));
    for (int j = 0; j < p; j++)
      gradient[j] += residual * row[j];
  }
}

void operations_exp(const double *x, double *result, long n) {
  for (long i = 0; i < n; i++)
    result[i] = exp(x[i]);
}

void operations_sum(const double *x, double *result, long n) {
  double total = 0.0;
  for (long i = 0; i < n; i++)
    total += x[i];
  *result = total;
}

void op_chain_8(const double *x, double *result, long n) {
  for (long i = 0; i < n; i++) {
    double v = x[i];
    for (int step = 0; step < 8; step++)
      v = step % 2 ? v + 0.25 : 0.75 * v;
    result[i] = v;
  }
}
