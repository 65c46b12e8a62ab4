import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { frontPageFiles } from '#tools/pages/front-page';

const root = join(__dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = textOf('README.md');

/** Fenced code blocks of one language, in order. */
function blocks(language: string, page: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    (match) => match[1] ?? '',
  );
}

const generated = frontPageFiles(root);

test.each([...generated.keys()])('%s is what npm run docs makes', (path) => {
  expect(textOf(path)).toBe(generated.get(path));
});

test('the README fits on a page, and its screenshot into a clone', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(151);
  expect(statSync(join(root, 'docs/reference/report.png')).size).toBeLessThan(150_000);
});

test('the output that the README shows is that of its program', () => {
  const [program = ''] = blocks('ts', readme);
  expect(program).toContain("new LinkerdMesh(home, 'mesh', { crds: { gatewayApi: 'install' }, operator: {} });");
  expect(program).toContain("platform.addCluster('home', {}, (home) => {");
});

test('the version of Go is left to the modules, and workflows install the newest that they need', () => {
  const modules = readdirSync(join(root, 'test/go'), { recursive: true, encoding: 'utf8' })
    .filter((file) => basename(file) === 'go.mod')
    .map((file) => /^go 1\.(\d+)/m.exec(textOf(join('test/go', file)))?.[1]);
  const needed = Math.max(...modules.map(Number));
  for (const workflow of ['ci', 'nightly']) {
    expect(textOf(`.github/workflows/${workflow}.yml`)).toContain(`go-version: "1.${needed}"`);
  }
});

test('the page about the package installs what the program of the README imports', () => {
  const programs = blocks('ts', readme).join('\n');
  const commands = blocks('sh', textOf('docs/packaging.md')).join('\n');
  const installed = (commands.match(/(?<=npm install ).*/g) ?? []).join(' ').split(' ');
  const packages = [...programs.matchAll(/(?<=from ')[^']+(?=')/g)].map(([name]) => name);
  expect(packages).toEqual(['cdk8s-linkerd']);
  expect(installed).toEqual(expect.arrayContaining(['"$CDK8S_LINKERD"', 'cdk8s', 'constructs', 'tsx', 'typescript']));
  // Without the types of Node.js, `console` does not compile.
  expect(installed).toContain('@types/node');
});
