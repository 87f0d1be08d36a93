/** Where the parts are that a run needs, and how code-server is started from them. No browser here. */

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const QUIET = {
  'chat.disableAIFeatures': true,
  'editor.autoClosingBrackets': 'never',
  'editor.autoClosingQuotes': 'never',
  'editor.autoIndent': 'none',
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.suggestOnTriggerCharacters': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'window.commandCenter': false,
  'workbench.layoutControl.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** The folder that `.ci/editors` filled: code-server and playwright-core stand in its `node_modules`. */
export class Parts {
  constructor(folder) {
    this.folder = folder;
    this.require = createRequire(join(folder, 'package.json'));
  }

  /** playwright-core's way to start Chromium. */
  get chromium() {
    return this.require('playwright-core').chromium;
  }

  get codeServer() {
    return join(this.folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js');
  }
}

/** A code-server of our own: its port, its folders, one extension, no marketplace. */
export class CodeServer {
  /** `home` is an empty folder. */
  constructor(parts, home) {
    this.parts = parts;
    this.home = home;
  }

  /** Install the `.vsix` and start; resolves when it answers. Throws with its output when it ends before. */
  async start(vsix, seconds) {
    this.writeSettings({});
    writeFileSync(join(this.home, 'config.yaml'), '');
    await this.#install(vsix);
    this.port = await freePort();
    const address = ['--bind-addr', `127.0.0.1:${this.port}`, '--auth', 'none'];
    const quiet = ['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
    this.process = this.#spawn(...address, ...quiet);
    process.once('exit', () => this.process.kill());
    const until = Date.now() + seconds * 1000;
    while (!(await this.#answers())) {
      if (this.process.exitCode !== null || Date.now() > until) throw new Error(`code-server did not start: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The user's settings of the windows to come, beside those that keep them quiet. */
  writeSettings(settings) {
    // Settings of scope `machine` are read from the machine's file, the others from the user's.
    for (const place of ['User', 'Machine']) {
      mkdirSync(join(this.home, 'data', place), { recursive: true });
      writeFileSync(join(this.home, 'data', place, 'settings.json'), JSON.stringify({ ...QUIET, ...settings }));
    }
  }

  /** The address of a folder's window. */
  url(folder) {
    return `http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(folder)}`;
  }

  async stop() {
    if (!this.process || this.process.exitCode !== null) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill('SIGTERM');
    await ended;
  }

  async #answers() {
    try {
      return (await fetch(`http://127.0.0.1:${this.port}/healthz`)).ok;
    } catch {
      return false;
    }
  }

  async #install(vsix) {
    const installer = this.#spawn('--install-extension', vsix);
    const code = await new Promise((resolve) => installer.once('close', resolve));
    if (code !== 0) throw new Error(`the extension was not installed: ${this.output}`);
  }

  #spawn(...words) {
    const options = { env: this.#environment(), stdio: ['ignore', 'pipe', 'pipe'] };
    const child = spawn(process.execPath, [this.parts.codeServer, ...this.#folders(), ...words], options);
    this.output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (this.output += data));
    return child;
  }

  #folders() {
    const at = (name) => join(this.home, name);
    return ['--config', at('config.yaml'), '--user-data-dir', at('data'), '--extensions-dir', at('extensions')];
  }

  #environment() {
    const nowhere = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '' });
    return { ...process.env, HOME: this.home, EXTENSIONS_GALLERY: nowhere };
  }
}

/** A port that nobody listens on at this moment. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
