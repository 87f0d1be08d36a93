/** Carries out a scenario: the parts started, its steps done in one window, everything ended. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CodeServer, Parts } from './parts.mjs';
import { Report } from './report.mjs';
import { Window } from './window.mjs';

/**
 * The first argument of the program is a JSON object: `parts` (the folder), `chromium`, `vsix`, `home` (an empty folder),
 * `root` (what is opened), `out` (for the report and the pictures), `settings` and `seconds` (how long a wait may take).
 * `scenario` gets the window and a function that does a step.
 * When standard input ends, so does the run, whoever started it being gone.
 */
export async function run(scenario) {
  const given = JSON.parse(process.argv[2]);
  const parts = new Parts(given.parts);
  const server = new CodeServer(parts, given.home, given.settings);
  const report = new Report(given.out);
  let window;
  const step = (name, act) => report.step(window, name, act);
  process.stdin.once('end', () => process.exit(1)).resume();
  try {
    await step('start', () => server.start(given.vsix, given.seconds));
    await step('open the window', async () => {
      window = await Window.open(parts, server, given.root, given.chromium, given.seconds);
    });
    await scenario(window, step, (name) => readFileSync(join(given.root, name), 'utf8'));
  } catch (error) {
    report.failure ??= String(error);
  } finally {
    await window?.close();
    await server.stop();
    report.write();
    process.exit();
  }
}
