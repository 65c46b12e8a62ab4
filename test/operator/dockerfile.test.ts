import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { imageReference } from '#lib/constructs/operator/operator-image';
import { ALLOCATION } from '#lib/constructs/operator/operator-pod';
import { OperatorImage } from '#lib/gitops/tree/operator-image';

const root = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, 'operator', file), 'utf8');

/** The instructions of the Dockerfile by stage, each with its arguments. */
const instructions = read('Dockerfile')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));
const starts = [0, ...instructions.flatMap(([name], index) => (name === 'FROM' ? [index] : []))];
const stages = starts.map((start, index) => instructions.slice(start, starts[index + 1]));
const [argumentsBefore = [], builder = [], image = []] = stages;
const named = (stage: readonly string[][], name: string) => stage.filter(([instruction]) => instruction === name);
const text = (words: readonly string[] | undefined) => words?.slice(1).join(' ') ?? '';

describe('operator/Dockerfile', () => {
  it('has two stages, and both base images can be replaced', () => {
    expect(stages).toHaveLength(3);
    expect(named(argumentsBefore, 'ARG').map((words) => text(words).split('=')[0])).toEqual(['BUILDER', 'BASE']);
    expect([text(builder[0]), text(image[0])]).toEqual(['--platform=$BUILDPLATFORM ${BUILDER} AS build', '${BASE}']);
  });

  it('is built with the Node.js of the bundled operator', () => {
    expect(text(argumentsBefore[0])).toBe(`BUILDER=${imageReference(OperatorImage.bundled())}`);
  });

  it('copies existing files of the build context', () => {
    const admitted = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    const sources = named(builder, 'COPY').flatMap((words) => words.slice(1, -1));
    expect(sources).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'operator']));
    for (const source of sources) {
      expect(existsSync(join(root, source))).toBe(true);
      expect(admitted).toContain(source.split('/')[0]);
    }
  });

  it('copies all sources of the bundle', () => {
    const { inputs } = JSON.parse(read('build/bundle.state.json')) as { inputs: readonly string[] };
    const sources = named(builder, 'COPY').flatMap((words) => words.slice(1, -1));
    const missing = inputs.filter(
      (input) => !sources.some((source) => input === source || input.startsWith(`${source}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('runs the copied program as an unprivileged user', () => {
    expect(named(image, 'COPY').map(text)).toEqual([
      '--from=build /repository/operator/build/operator.cjs /operator/operator.cjs',
      '--from=build /repository/operator/build/THIRD-PARTY-NOTICES /repository/LICENSE /operator/',
    ]);
    expect(text(named(image, 'ENTRYPOINT')[0])).toBe('["node", "/operator/operator.cjs"]');
    expect(text(named(image, 'USER')[0])).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(named(image, 'RUN')).toEqual([]);
  });

  it('makes Node return memory as in pods of the bundled operator', () => {
    const settings = ALLOCATION.map(({ name, value }) => `${name}=${value}`).join(' ');
    expect(named(image, 'ENV').map(text)).toContain(settings);
  });
});
