import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_FLAGS } from '#operator/src/run-options';

const root = join(__dirname, '..', '..');
const text = readFileSync(join(root, 'docs', 'seeds.md'), 'utf8');
const lines = text.split('\n');

/** What stands between backticks. */
const codeIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const isPath = (code: string) => /^(?:bench|dist|docs|imports|lib|operator|packages|test|tools)\/\S+$/.test(code);
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

/** What a cell quotes of files: each quotation belongs to the path before it. */
function quotesIn(cell: string): { path: string; quote: string }[] {
  let path = '';
  return codeIn(cell).flatMap((code) => {
    if (!isPath(code)) return path === '' ? [] : [{ path, quote: code }];
    path = code;
    return [];
  });
}

const linesOf = (path: string) =>
  contentsOf([path])
    .split('\n')
    .map((line) => line.trim().replace(/,$/, ''));

/** Whether a source has a declaration of that name: of a type, a function, a constant or a member. */
function declares(source: string, name: string): boolean {
  const declared = `(?:class|interface|type|function|const|get|static|readonly|async)\\s+${name}\\b`;
  const member = `^\\s*(?:(?:private|protected|public|static|readonly|async|override)\\s+)*${name}\\??\\s*[(:<]`;
  return new RegExp(`${declared}|${member}`, 'm').test(source);
}

/** All that the library and the operator are made of. */
const sources = contentsOf(
  ['packages', 'lib', 'operator/api', 'operator/src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  ),
);

/** Quotations of the beginning of a value. */
const CUT_SHORT: readonly string[] = ['releaseName: {{ .path.basename', 'image: docker.io/library/node:'];

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

  it('names what is declared there, not only mentioned', () => {
    const undeclared = rows.flatMap(([, coveredBy = '']) => {
      const source = contentsOf(pathsIn(coveredBy).filter((path) => path.endsWith('.ts')));
      return codeIn(coveredBy)
        .filter((code) => !isPath(code) && !code.includes('.') && /^\w+$/.test(code) && source !== '')
        .filter((name) => !declares(source, name))
        .map((name) => `${name} in: ${coveredBy}`);
    });
    expect(undeclared).toEqual([]);
  });

  it('names props that their types have, in each column', () => {
    const undeclared = rows.flatMap(([, coveredBy = '', , difference = '']) => {
      const beside = contentsOf(pathsIn(coveredBy).filter((path) => path.endsWith('.ts')));
      const ofUs = /^[A-Z]\w+(?:\.[a-z]\w*)+$/;
      return [
        ...codeIn(coveredBy)
          .filter((code) => ofUs.test(code))
          .map((name) => ({ name, source: beside })),
        ...codeIn(difference)
          .filter((code) => ofUs.test(code))
          .map((name) => ({ name, source: sources })),
      ]
        .filter(({ name, source }) => !name.split('.').every((part) => declares(source, part)))
        .map(({ name }) => name);
    });
    expect(undeclared).toEqual([]);
  });

  it('shows in dist the values that the text has, where the row names no difference', () => {
    const alike = rows.filter(([, , shown = '', difference]) => difference === '—' && pathsIn(shown).length > 0);
    const values = alike.flatMap(([said = '', , shown = '']) => {
      const shownLines = contentsOf(pathsIn(shown)).replaceAll('"', '').split('\n');
      return codeIn(said).flatMap((code) => {
        const [, value = ''] = /^[\w./-]+=(.+)$/.exec(code.replaceAll('"', '')) ?? [];
        // Templates and lists are those of the text's own tools.
        return value === '' || /[{[]/.test(value)
          ? []
          : [{ value, isShown: shownLines.some((line) => line.endsWith(value)) }];
      });
    });
    expect(values.length).toBeGreaterThan(50);
    expect(values.filter(({ isShown }) => !isShown)).toEqual([]);
  });

  it('quotes what the files in dist say, each in its own file', () => {
    const missing = rows.flatMap(([, , shown = '']) =>
      quotesIn(shown)
        .filter(({ path, quote }) => !contentsOf([path]).includes(quote))
        .map(({ path, quote }) => `${quote} in: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('quotes values whole: what stands behind the key is all that stands there', () => {
    const cut = rows.flatMap(([, , shown = '']) =>
      quotesIn(shown)
        .filter(({ quote }) => /^[\w./"-]+: \S/.test(quote) && !CUT_SHORT.includes(quote))
        .filter(({ path, quote }) => !linesOf(path).some((line) => line === quote || line === `- ${quote}`))
        .map(({ path, quote }) => `${quote} in: ${path}`),
    );
    expect(cut).toEqual([]);
  });

  it('names flags and commands of the operator that it has', () => {
    const flags = [...text.matchAll(/`(--[a-z][a-z-]+)`/g)].map(([, flag = '']) => flag);
    const known = Object.keys(RUN_FLAGS).map(
      (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
    const runs = [...text.matchAll(/`((?:\w+=\w+ )?)npm run -s operator -- run( [^`]*)?`/g)];
    expect(runs.length).toBeGreaterThan(0);
    // Without its webhooks, or with their certificate: else it does not start.
    for (const [command, environment, given] of runs) {
      expect([
        command,
        /ENABLE_WEBHOOKS=false|--no-enable-webhooks|--webhook-cert-dir/.test(`${environment}${given}`),
      ]).toEqual([command, true]);
    }
  });

  it('claims nothing of Argo CD that its settings contradict', () => {
    // Applications are never deleted, so a folder that is gone is not pruned.
    const set = contentsOf(['dist/argocd/applicationset.linkerd-mesh-home.yaml']);
    expect(set).toContain('applicationsSync: create-update');
    expect(lines.filter((line) => /prunes what it made/.test(line))).toEqual([]);
  });

  it('says what covers a row: a file, or nothing', () => {
    const covered = /^(?:nothing to set|not covered|intentionally omitted)$/;
    expect(rows.filter(([, coveredBy = '']) => pathsIn(coveredBy).length === 0 && !covered.test(coveredBy))).toEqual(
      [],
    );
  });
});
