/**
 * Where the server is, and how it is run, so that nothing in the workspace takes its place.
 *
 * In this order: the setting of the machine, the Python environment that the user selected (in a trusted workspace, as
 * the workspace may name it, and not one inside of it), PATH and the folder of the user's own programs, and uvx or pipx,
 * which fetch it, after a question.
 */
import * as path from 'node:path';

export const NAME = 'socreates-lsp';
export const MISSING =
  'Socreates: the server socreates-lsp was not found outside of the workspace. Install it with "pip install socreates-lsp", or name it in the setting socreates.server.command.';

export interface Command {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Where it was found, for people. */
  readonly from: string;
}

/** What the search needs to know of the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly configured: readonly string[];
  readonly roots: readonly string[];
  readonly home: string;
  /** The path of the file itself, without symbolic links, if it is a program. */
  readonly program: (file: string) => Promise<string | undefined>;
  /** The selected interpreter, if there is one and the workspace is trusted. */
  readonly interpreter: () => Promise<string | undefined>;
  /** Whether this interpreter has the package. */
  readonly hasServer: (python: string) => Promise<boolean>;
  /** Whether the user wants it fetched with this tool. */
  readonly mayFetch: (tool: string) => Promise<boolean>;
}

/** The variables that keep packages of the workspace from being imported in the place of the server's own. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PYTHONPATH: '',
  PYTHONHOME: '',
  PYTHONSAFEPATH: '1',
  PYTHONUTF8: '1',
};

/** How to start the server. Undefined if there is none. Throws an Error with a sentence for a wrong setting. */
export async function find(machine: Machine): Promise<Command | undefined> {
  const [configured, ...given] = machine.configured;
  if (configured !== undefined && configured.trim() !== '') {
    const found = path.isAbsolute(configured) ? await machine.program(configured) : await onPath(machine, configured);
    if (found === undefined) {
      throw new Error(`Socreates: there is no program ${configured}: correct the setting socreates.server.command.`);
    }
    return { program: configured === found ? found : program(configured, found), arguments: given, from: 'the setting' };
  }
  const python = await machine.interpreter();
  if (python !== undefined && !inWorkspace(machine, python) && (await machine.hasServer(python))) {
    return { program: python, arguments: ['-P', '-m', 'socreates_lsp'], from: 'the selected Python environment' };
  }
  const found = await onPath(machine, NAME);
  if (found !== undefined) {
    return { program: found, arguments: [], from: 'PATH' };
  }
  for (const [tool, run] of [
    ['uvx', [NAME]],
    ['pipx', ['run', NAME]],
  ] as const) {
    const fetcher = await onPath(machine, tool);
    if (fetcher !== undefined && (await machine.mayFetch(tool))) {
      return { program: fetcher, arguments: run, from: tool };
    }
  }
  return undefined;
}

function program(configured: string, found: string): string {
  return path.isAbsolute(configured) ? configured : found;
}

/**
 * A program in one of the folders of PATH, none of which counts that lies in the workspace or is no full path. At last
 * where pipx, uv and pip put a user's own programs, as that is not on the PATH of every login.
 */
async function onPath(machine: Machine, name: string): Promise<string | undefined> {
  const windows = machine.platform === 'win32';
  const folders = (machine.environment['PATH'] ?? machine.environment['Path'] ?? '').split(windows ? ';' : ':');
  if (!windows) {
    folders.push(path.join(machine.home, '.local', 'bin'));
  }
  const endings = windows ? ['.exe', '.cmd', ''] : [''];
  for (const folder of folders.filter((one) => path.isAbsolute(one))) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      const real = await machine.program(file);
      if (real !== undefined && !inWorkspace(machine, file) && !inWorkspace(machine, real)) {
        return file;
      }
    }
  }
  return undefined;
}

function inWorkspace(machine: Machine, file: string): boolean {
  return machine.roots.some((root) => isInside(file, root));
}

/** Whether a path lies in a folder, or is it. */
export function isInside(file: string, folder: string): boolean {
  const way = path.relative(folder, file);
  return way === '' || (!way.startsWith(`..${path.sep}`) && way !== '..' && !path.isAbsolute(way));
}
