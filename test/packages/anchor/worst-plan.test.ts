import { worstPlan } from '#anchor/worst-plan';
import { POLICY } from './fixture';

const names = (way: 'bridge' | 'restarts') => worstPlan(POLICY, 4, way).map(({ name }) => name);

test('pods get the new anchor last over a bridge, and before any signature without one', () => {
  expect(names('bridge')).toEqual(['mint', 'announce', 'bridge', 'sign', 'take up', 'turn leaves', 'adopt', 'retire']);
  expect(names('restarts')).toEqual(['mint', 'announce', 'adopt', 'sign', 'take up', 'turn leaves', 'retire']);
});

test('each step of the worst plan takes the longest time that its controller may take', () => {
  const { lag, patience, leafReach, skew, restartTime } = POLICY;
  const times = Object.fromEntries(worstPlan(POLICY, 3, 'bridge').map(({ name, time }) => [name, time]));
  expect(times).toEqual({
    mint: patience,
    announce: patience + lag,
    bridge: patience,
    sign: patience,
    'take up': 2 * (lag + skew) + patience + restartTime,
    'turn leaves': leafReach + skew + lag,
    adopt: 3 * restartTime + lag,
    retire: 2 * patience + lag,
  });
});
