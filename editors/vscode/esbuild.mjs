// Two bundles: a small one that VS Code loads as its window opens, and one with the language client, loaded on first use.
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
};

await build({ ...shared, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', external: ['vscode', './running'] });
await build({ ...shared, entryPoints: ['src/running.ts'], outfile: 'dist/running.js', external: ['vscode'] });
