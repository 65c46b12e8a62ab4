import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(__dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** Fenced code blocks of one language, in order. */
function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

describe('README', () => {
  const programs = blocks('ts');

  it('leaves the version of Go to the modules, and workflows install the newest that they need', () => {
    const modules = readdirSync(join(root, 'test/go'), { recursive: true, encoding: 'utf8' })
      .filter((file) => basename(file) === 'go.mod')
      .map((file) => /^go 1\.(\d+)/m.exec(readFileSync(join(root, 'test/go', file), 'utf8'))?.[1]);
    const needed = Math.max(...modules.map(Number));
    for (const workflow of ['ci', 'nightly']) {
      const text = readFileSync(join(root, `.github/workflows/${workflow}.yml`), 'utf8');
      expect(text).toContain(`go-version: "1.${needed}"`);
    }
  });

  it('has every package installed that its programs import', () => {
    const imported = new Set(programs.join('\n').match(/(?<=from ')[^']+(?=')/g));
    const installed =
      blocks('sh')
        .join('\n')
        .match(/(?<=npm install ).*/g)
        ?.join(' ')
        .split(' ') ?? [];
    const inText = [...readme.matchAll(/`npm install ([\w-]+)`/g)].map(([, name]) => name);
    const packages = [...imported].map((name) => name.replace(/^cdk8s-linkerd\/.*/, 'cdk8s-linkerd'));
    expect(packages.filter((name) => ![...installed, ...inText, 'cdk8s-linkerd'].includes(name))).toEqual([]);
    // What Node.js has itself is typed by a package of its own: without it `console` does not compile.
    expect(installed).toContain('@types/node');
  });
});
