/**
 * One VS Code for all scenarios: code-server and a browser, started once, and a window of its own for each scenario.
 *
 * The argument is a JSON object: `parts` (the folder), `chromium`, `vsix`, `home` (an empty folder) and `seconds` (how long
 * a wait may take). Each line of standard input is a scenario to carry out: its `name` (a module here, whose default is
 * given a window, a function that does a step, and one that reads a file), `root` (what is opened), `out` (for the report
 * and the pictures), `settings` (the user's) and `pictures` (of each step, else where one failed). A line with its name is
 * printed when its report is written. When standard input ends, so does all that was started.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { CodeServer, Parts } from './parts.mjs';
import { Report } from './report.mjs';
import { launch, Window } from './window.mjs';

const given = JSON.parse(process.argv[2]);
const parts = new Parts(given.parts);
const server = new CodeServer(parts, given.home);
const started = Promise.all([launch(parts, given.chromium), server.start(given.vsix, given.seconds)]);
started.catch(() => {}); // told in the report of each scenario

async function carryOut({ name, root, out, settings, pictures }) {
  const report = new Report(out, pictures);
  const step = (title, act) => report.step(window, title, act);
  let window;
  try {
    const [browser] = await step('start', () => started).then(() => started);
    await step('open the window', async () => {
      server.writeSettings(settings);
      window = await Window.open(browser, server.url(root), given.seconds);
    });
    const { default: scenario } = await import(`./${name}.mjs`);
    await scenario(window, step, (file) => readFileSync(join(root, file), 'utf8'));
  } catch (error) {
    report.failure ??= String(error);
  } finally {
    await window?.close();
    report.write();
  }
}

let last = Promise.resolve();
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const scenario = JSON.parse(line);
    last = last.then(() => carryOut(scenario)).then(() => process.stdout.write(`${scenario.name}\n`));
  })
  .once('close', async () => {
    const [browser] = await started.catch(() => []);
    await browser?.close().catch(() => {});
    await server.stop();
    process.exit();
  });
