/* SPDX-License-Identifier: Apache-2.0
 * The splitc_main of a program that has none: it has a `main`, which the compiler has renamed.
 * The linker names that function where a program has neither. */
int splitc_main_or_main(int argc, char** argv, char** environment);
/* The compiler defines it, as 1, where that function is declared to return a status. */
extern const int splitc_user_main_returns_status __attribute__((weak));
extern int splitc_exit_status;

int splitc_main(int argc, char** argv, char** environment);
int splitc_main(int argc, char** argv, char** environment) {
  const int value = splitc_main_or_main(argc, argv, environment);
  if (&splitc_user_main_returns_status && splitc_user_main_returns_status)
    splitc_exit_status = value;
  return 0;
}
