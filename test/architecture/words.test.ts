import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The folders whose doc comments are read. */
const FOLDERS = [
  'lib',
  'bin',
  'operator/api',
  'operator/src',
  'operator/bundle',
  'page/src',
  'page/bundle',
  'bench',
  'tools',
  'test/support',
];

/** The words with which a fragment begins: "What is wrong with it." does not say what the thing is. */
const FRAGMENT = /\/\*\*[\s*]*(?:What|Whether|That|How|Where|When|Which|Who|Whose|Why)\b[^\n]*/g;

/** Lists the doc comments of a text that begin like a fragment, with the number of their line. */
function fragments(path: string, text: string): readonly string[] {
  return [...text.matchAll(FRAGMENT)].map(({ 0: begin, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${path}:${line}: ${begin.replace(/\s*\n[\s*]*/g, ' ')}`;
  });
}

test('says what a thing is in each doc comment, in a sentence or a noun phrase', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.[cm]?[jt]s$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap((file) => fragments(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});

test.each([
  ['const a = 1;\n/** What is wrong with it. */', 'x.ts:2: /** What is wrong with it. */'],
  ['/**\n * Whether it is\n * there.\n */', 'x.ts:1: /** Whether it is'],
])('finds %j', (text, found) => {
  expect(fragments('x.ts', text)).toEqual([found]);
});

test.each(['/** Tells whether it is. */', '/** Whatever it is. */', '// What it is.', '/** Checks what is wrong. */'])(
  'lets %j pass',
  (text) => {
    expect(fragments('x.ts', text)).toEqual([]);
  },
);
