import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Creates a temporary directory for each test, and removes it afterwards. */
export function temporaryDirectory(): { readonly path: string } {
  const directory = { path: '' };
  beforeEach(() => {
    directory.path = mkdtempSync(join(tmpdir(), 'cdk8s-linkerd-'));
  });
  afterEach(() => rmSync(directory.path, { recursive: true, force: true }));
  return directory;
}

/** Returns all files below a directory with their texts. Empty directories end in a slash. */
export function readFiles(directory: string, prefix = ''): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const [path, name] = [join(directory, entry.name), `${prefix}${entry.name}`];
    if (!entry.isDirectory()) files[name] = entry.isSymbolicLink() ? '(link)' : readFileSync(path, 'utf8');
    else if (readdirSync(path).length === 0) files[`${name}/`] = '';
    else Object.assign(files, readFiles(path, `${name}/`));
  }
  return files;
}

/** Writes files with their texts. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

/** Returns the metadata of files and directories that a write changes. */
export function fingerprints(directory: string): Record<string, string> {
  const prints: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const { ino, mtimeNs, ctimeNs } = lstatSync(join(directory, name), { bigint: true });
    prints[name] = `${ino} ${mtimeNs} ${ctimeNs}`;
  }
  return prints;
}
