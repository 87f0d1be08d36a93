import assert from 'node:assert/strict';
import { test } from 'node:test';

import { find, isInside, type Machine } from '../src/server';

function machine(programs: Readonly<Record<string, string>>, changed: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    environment: { PATH: '/w/bin:relative:/usr/bin' },
    configured: [],
    roots: ['/w'],
    home: '/home/me',
    program: async (file) => programs[file],
    interpreter: async () => undefined,
    hasServer: async () => false,
    mayFetch: async () => false,
    ...changed,
  };
}

const here = { '/usr/bin/socreates-lsp': '/usr/bin/socreates-lsp' };

test('the setting is taken as it is, with its arguments', async () => {
  const found = await find(machine({ '/opt/s': '/opt/real' }, { configured: ['/opt/s', '--log-level', 'debug'] }));
  assert.deepEqual(found, { program: '/opt/s', arguments: ['--log-level', 'debug'], from: 'the setting' });
});

test('a setting that names no program is told', async () => {
  await assert.rejects(find(machine(here, { configured: ['/opt/none'] })), /no program \/opt\/none: correct the setting/);
});

test('a name in the setting is looked for on PATH, outside of the workspace', async () => {
  const programs = { '/w/bin/mine': '/w/bin/mine', '/usr/bin/mine': '/usr/bin/mine' };
  assert.equal((await find(machine(programs, { configured: ['mine'] })))?.program, '/usr/bin/mine');
});

test('the programs of the user are found where they are on no PATH, as in a window that no shell opened', async () => {
  const pipx = '/home/me/.local/bin/socreates-lsp';
  assert.equal((await find(machine({ [pipx]: '/home/me/pipx/socreates-lsp' })))?.program, pipx);
  assert.equal((await find(machine({ ...here, [pipx]: pipx })))?.program, '/usr/bin/socreates-lsp');
  assert.equal(await find(machine({ [pipx]: pipx }, { roots: ['/home/me'] })), undefined);
});

test('the selected environment goes before PATH, if it has the server', async () => {
  const selected = { interpreter: async () => '/env/bin/python' };
  const found = await find(machine(here, { ...selected, hasServer: async () => true }));
  assert.deepEqual(found?.arguments, ['-P', '-m', 'socreates_lsp']);
  assert.equal((await find(machine(here, selected)))?.from, 'PATH');
});

test('an environment inside the workspace is not asked', async () => {
  const asked: string[] = [];
  const hasServer = async (python: string): Promise<boolean> => asked.push(python) > 0;
  const found = await find(machine(here, { interpreter: async () => '/w/.venv/bin/python', hasServer }));
  assert.equal(found?.from, 'PATH');
  assert.deepEqual(asked, []);
});

test('nothing in the workspace is the server, by no link either', async () => {
  assert.equal(await find(machine({ '/w/bin/socreates-lsp': '/w/bin/socreates-lsp' })), undefined);
  assert.equal(await find(machine({ '/usr/bin/socreates-lsp': '/w/planted' })), undefined);
  assert.equal(await find(machine({ 'relative/socreates-lsp': '/else/socreates-lsp' })), undefined);
});

test('it is fetched only after a yes', async () => {
  const uvx = { '/usr/bin/uvx': '/usr/bin/uvx', '/usr/bin/pipx': '/usr/bin/pipx' };
  assert.equal(await find(machine(uvx)), undefined);
  const found = await find(machine(uvx, { mayFetch: async (tool) => tool === 'pipx' }));
  assert.deepEqual(found, { program: '/usr/bin/pipx', arguments: ['run', 'socreates-lsp'], from: 'pipx' });
});

test('what lies inside a folder', () => {
  assert.ok(isInside('/w/a', '/w'));
  assert.ok(isInside('/w', '/w'));
  assert.ok(isInside('/w/..a', '/w'));
  assert.ok(!isInside('/wa', '/w'));
  assert.ok(!isInside('/', '/w'));
});
