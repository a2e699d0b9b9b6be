/** What a program has from its test, even if nothing else of the test's environment should reach it. */
const kept = [
  'PATH',
  'NODE_COMPILE_CACHE',
  'TMPDIR',
  // The tests' runner finds the program by it.
  'CLINIC_TEST_GROUP',
  // `npm test -- --clock`: all programs of a test have one time.
  'LD_PRELOAD',
  'FAKETIME',
  'FAKETIME_DONT_FAKE_MONOTONIC',
  'FAKETIME_DONT_RESET',
];

/** The environment of a program that a test starts with settings of its own. */
export const programEnv = (settings: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
  ...settings,
});
