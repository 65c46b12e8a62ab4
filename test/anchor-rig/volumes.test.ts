import type { Mirror } from '../support/anchor/mirror';
import { pick, seededRandom } from '../support/anchor/random';
import { type Volumes, watchVolumes } from '../support/anchor/volumes';
import type { KubeObject } from '../support/cluster/objects';

let tell: (object: KubeObject, deleted: boolean) => void;
let volumes: Volumes;
beforeEach(() => {
  jest.useFakeTimers({ now: 100_000 });
  const mirror: Partial<Mirror> = {
    onChange: (listener) => {
      tell = listener;
    },
  };
  volumes = watchVolumes(mirror as Mirror);
});
afterEach(() => {
  jest.useRealTimers();
});

function change(text: string | undefined, labels: Record<string, string> = {}): void {
  const metadata = { name: 'roots', namespace: 'linkerd', labels };
  tell({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: text } }, text === undefined);
}

const mounted = (since: number, lagMs: number) =>
  volumes.mounted({ kind: 'ConfigMap', name: 'roots', namespace: 'linkerd', since, lagMs })?.key;

it('has what was there when it started, and what came later after the lag', () => {
  change('one');
  jest.advanceTimersByTime(10_000);
  change('two');
  expect(mounted(100_000, 5_000)).toBe('one');
  expect(mounted(110_000, 5_000)).toBe('two');
  jest.advanceTimersByTime(4_999);
  expect(mounted(100_000, 5_000)).toBe('one');
  jest.advanceTimersByTime(1);
  expect(mounted(100_000, 5_000)).toBe('two');
});

it('keeps what it has when the object goes', () => {
  change('one');
  jest.advanceTimersByTime(1_000);
  change(undefined);
  expect(mounted(100_000, 0)).toBe('one');
  jest.advanceTimersByTime(1_000);
  change('two');
  expect(mounted(100_000, 0)).toBe('two');
  expect(volumes.at('ConfigMap', 'roots', 'linkerd', 101_500)).toBeUndefined();
});

it('has nothing of what never was there, and of what was there before the watch what it saw first', () => {
  expect(mounted(50_000, 0)).toBeUndefined();
  change('one');
  expect(mounted(50_000, 1_000_000)).toBe('one');
});

it('draws the same numbers for the same seed', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 20 }, () => pick(random, [...'abcdefgh'])).join('');
  };
  expect(draw(1)).toBe(draw(1));
  expect(draw(1)).not.toBe(draw(2));
  expect(pick(seededRandom(1), [])).toBeUndefined();
});
