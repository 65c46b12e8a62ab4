import { firstState, forecastOf } from '#lib/review/report/page/state';
import { verdict } from '#lib/review/report/page/verdict';
import type { Conditions } from '#lib/review/report/simulate/conditions';
import { conditions, meshFacts } from '../mesh-facts';

const mesh = meshFacts();

function judged(others: Partial<Conditions>) {
  const state = { ...firstState(mesh), conditions: conditions({ workloads: 10, ...others }) };
  const { run, routine } = forecastOf(mesh, state);
  if (run?.done === undefined) throw new Error('the operator completes the rotation');
  const { text } = verdict(mesh, { run, routine }, state);
  return { isLate: run.done > run.end, mood: /class="verdict (\w+)"/.exec(text)?.[1] };
}

test('the verdict approves a rotation that ends in time', () => {
  expect(judged({})).toEqual({ isLate: false, mood: 'good' });
});

test('the verdict lists both facts in the order of their times', () => {
  const state = { ...firstState(mesh), conditions: conditions({ workloads: 10 }) };
  const { text } = verdict(mesh, forecastOf(mesh, state), state);
  expect(/<strong>(.*)<\/strong>/.exec(text)?.[1]?.replaceAll('\u00a0', ' ')).toBe(
    'The rotation takes 28 d and ends 336 d before the old trust anchor expires.',
  );
});

test('the verdict reports a rotation that ends after the old anchor expired', () => {
  expect(judged({ restartDays: 0, awayDays: 365 })).toEqual({ isLate: true, mood: 'bad' });
});
