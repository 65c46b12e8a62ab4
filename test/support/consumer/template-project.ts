import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { installedLibrary } from './installed-library';
import { linkTree } from './link-tree';
import { consumerPrograms } from './programs';
import type { Project } from './project';

const PACKAGES = join(__dirname, '..', '..', '..', 'node_modules');

/** The template whose files `cdk8s init typescript-app` copies before it installs packages. */
const TEMPLATE = join(PACKAGES, 'cdk8s-cli', 'templates', 'typescript-app');

/** Writes files of the template of `cdk8s init typescript-app`. */
export function writeTemplate(project: Project, files: readonly string[]): void {
  for (const file of files) {
    project.write(file, readFileSync(join(TEMPLATE, file), 'utf8').replaceAll('{{ $base }}', 'app'));
  }
}

/** Creates `node_modules` with the template's packages, the library and its peers, and returns its path. */
export async function installTemplate(project: Project): Promise<string> {
  const modules = join(project.folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  linkTree(join((await installedLibrary()).folder, 'node_modules'), modules);
  const programs = consumerPrograms();
  // Compilers read all of `@types`. The types of Jest's own packages would take them the most time.
  const types = ['@types/jest', '@types/node'];
  mkdirSync(join(modules, '@types'));
  for (const name of [...readdirSync(programs), ...types]) {
    if (!existsSync(join(modules, name))) symlinkSync(join(programs, name), join(modules, name));
  }
  linkTree(join(PACKAGES, 'cdk8s-plus-33'), join(modules, 'cdk8s-plus-33'));
  return modules;
}
