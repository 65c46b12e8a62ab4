import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installedLibrary } from './installed-library';
import { consumerPrograms } from './programs';

const BIN = join(__dirname, '..', '..', '..', 'node_modules', '.bin');

/** The program of most tests: a mesh with operator and rotation on one cluster. */
export const MESH_PROGRAM = `import { LinkerdMesh, Platform } from 'cdk8s-linkerd';
const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });
platform.addCluster('home', {}, (home) => {
  new LinkerdMesh(home, 'mesh', { operator: {}, rotation: {} });
});
platform.run();
`;

/** Releases of the compiler: the oldest that the library supports, and those after it. */
export type TypeScript = '5.4' | '5.5' | '5.6' | '5.7' | '5.8' | '5.9' | '6.0' | '7';

/** A project of a user. */
export class Project {
  constructor(readonly folder: string) {}

  /** Writes a text, or an object as JSON, to a file, and returns the path of the file. */
  write(path: string, content: string | object): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  }

  /** Runs a program in the project's folder, and returns its stdout. @throws Error with stdout and stderr */
  run(command: string, ...args: readonly string[]): string {
    try {
      return execFileSync(command, args, { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
      throw new Error(`${command} ${args.join(' ')}: ${stdout ?? ''}${stderr ?? String(error)}`);
    }
  }

  /** Runs a compiler, and returns its stdout. @throws Error with the compiler's errors */
  compile(typescript: TypeScript, ...args: readonly string[]): string {
    // Parallel type checkers of one program would each load the same declarations.
    if (typescript === '7') return this.run(join(BIN, 'tsc'), ...args, '--singleThreaded');
    const name = typescript === '5.9' ? 'typescript' : `typescript-${typescript}`;
    return this.run('node', join(consumerPrograms(), name, 'bin/tsc'), ...args);
  }

  /** Transpiles a TypeScript file to CommonJS, or to an ES module for `.mjs`. Options go to esbuild. */
  transpile(from: string, to: string, ...options: readonly string[]): void {
    const format = to.endsWith('.mjs') ? 'esm' : 'cjs';
    this.run(join(BIN, 'esbuild'), from, `--format=${format}`, `--outfile=${to}`, '--log-level=warning', ...options);
  }
}

/** A new project, in which the library is installed. */
export async function projectWithLibrary(): Promise<Project> {
  const { folder } = await installedLibrary();
  return new Project(mkdtempSync(join(folder, 'project-')));
}
