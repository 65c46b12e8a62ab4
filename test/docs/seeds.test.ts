import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const lines = readFileSync(join(root, 'docs', 'seeds.md'), 'utf8').split('\n');

/** What stands between backticks. */
const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const isPath = (code: string) => /^(?:bench|dist|docs|imports|lib|operator|test|tools)\/\S+$/.test(code);
const pathsIn = (text: string) => codeIn(text).filter(isPath);
const contentsOf = (paths: readonly string[]) => paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');

/** The rows of all tables, by cells. */
const rows = lines
  .filter((line) => line.startsWith('|') && !line.startsWith('| ---') && !line.startsWith('| The text says'))
  .map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );

describe('docs/seeds.md', () => {
  it('has rows of four cells, none of them empty', () => {
    expect(rows.length).toBeGreaterThan(200);
    expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([]);
  });

  it.each([...new Set(pathsIn(lines.join('\n')))].sort())('names %s, which exists', (path) => {
    expect(existsSync(join(root, path))).toBe(true);
  });

  it('names constructs, props and functions that stand in the files beside them', () => {
    const missing = rows.flatMap(([, coveredBy = '']) => {
      const names = codeIn(coveredBy).filter((code) => !isPath(code));
      const source = contentsOf(pathsIn(coveredBy));
      return names
        .filter((name) => !name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(source)))
        .map((name) => `${name} in: ${coveredBy}`);
    });
    expect(missing).toEqual([]);
  });

  it('quotes what the files in dist say', () => {
    const missing = rows.flatMap(([, , shown = '']) => {
      const text = contentsOf(pathsIn(shown));
      return codeIn(shown)
        .filter((code) => !isPath(code) && !text.includes(code))
        .map((code) => `${code} in: ${shown}`);
    });
    expect(missing).toEqual([]);
  });

  it('says who covers a row: a file, or nobody', () => {
    const covered = /^(?:nothing to set|not covered|not made, on purpose)$/;
    expect(rows.filter(([, coveredBy = '']) => pathsIn(coveredBy).length === 0 && !covered.test(coveredBy))).toEqual(
      [],
    );
  });

  it('names the texts by title and author, not by where somebody keeps them', () => {
    expect(lines.filter((line) => /\/work\b|\.\.\/shared|readme\.txt|guide\.txt/.test(line))).toEqual([]);
  });

  it('has no line of more than 120 characters outside of tables and links', () => {
    expect(lines.filter((line) => line.length > 120 && !line.startsWith('|') && !/^\[\w+\]: /.test(line))).toEqual([]);
  });
});
