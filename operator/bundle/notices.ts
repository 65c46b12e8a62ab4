import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package whose code is part of a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX identifier from its package.json. */
  readonly license: string;
  /** Texts of its LICENSE and NOTICE files. */
  readonly texts: readonly string[];
}

/** Licences of code that may be bundled: they only require that their text is included. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i;

/**
 * Reads the packages that contain the files.
 *
 * @param root - the folder that paths are relative to
 * @param files - paths; those outside of `node_modules` belong to this project
 */
export function packagesOf(root: string, files: readonly string[]): readonly BundledPackage[] {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))]
    .map((folder) => readPackage(join(root, folder)))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { name, version, license, texts };
}

/**
 * Returns a text that lists the packages of a bundle, with their licences.
 *
 * @throws Error if a package has a licence that is not in ALLOWED, or no licence text
 */
export function noticesOf(program: string, packages: readonly BundledPackage[]): string {
  const wrong = packages.flatMap(({ name, version, license, texts }) => [
    ...(ALLOWED.includes(license) ? [] : [`${name} ${version} has the licence ${license}`]),
    ...(texts.length > 0 ? [] : [`${name} ${version} comes without the text of its licence`]),
  ]);
  if (wrong.length > 0) {
    throw new Error(
      `${wrong.join('; ')}: check whether ${program} may contain its code, and then allow it in notices.ts`,
    );
  }
  const sections = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts].join('\n\n'),
  );
  return `${[`${program} has code of these packages.`, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Returns the notices as a JavaScript comment in ASCII: V8 stores such a string in half the memory. */
export function noticesComment(notices: string): string {
  const ascii = notices
    .replaceAll('©', '(c)')
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[^\n\x20-\x7e]/g, '?')
    .replaceAll('*/', '* /');
  return `/*!\n${ascii}*/\n`;
}
