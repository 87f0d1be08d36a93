// Checks that Lua files are formatted as editors/nvim/.stylua.toml says; --write formats them.
// StyLua's own command downloads itself when its package is installed; its library comes inside of one.
// Usage: node .ci/stylua.mjs NODE_MODULES [--write] FOLDER...
import { createRequire } from 'node:module';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [modules, ...rest] = process.argv.slice(2);
const stylua = createRequire(join(resolve(modules), 'x.js'))('@johnnymorganz/stylua');
const folders = rest.filter((one) => one !== '--write');
const chosen = { indent_type: 'IndentType', quote_style: 'QuoteStyle', collapse_simple_statement: 'CollapseSimpleStatement' };

const options = readFileSync(new URL('../editors/nvim/.stylua.toml', import.meta.url), 'utf8').split('\n');

// A new one for each file, as formatCode takes it away.
function config() {
  const made = stylua.Config.new();
  for (const line of options) {
    const [, name, value] = /^(\w+) = "?(\w+)"?$/.exec(line) ?? [];
    if (name) made[name] = name in chosen ? stylua[chosen[name]][value] : Number(value);
  }
  return made;
}

let wrong = 0;
for (const folder of folders) {
  for (const entry of readdirSync(folder, { recursive: true })) {
    if (!entry.endsWith('.lua')) continue;
    const path = join(folder, entry);
    const before = readFileSync(path, 'utf8');
    const after = stylua.formatCode(before, config(), undefined, stylua.OutputVerification.Full);
    if (after === before) continue;
    wrong += 1;
    console.log(`${path} is not formatted`);
    if (rest.includes('--write')) writeFileSync(path, after);
  }
}
process.exit(wrong && !rest.includes('--write') ? 1 : 0);
