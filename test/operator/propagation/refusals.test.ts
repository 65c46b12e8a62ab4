import { REFUSAL_MS, refusals } from '../../../operator/src/propagation/refusals';

let now = 0;
const refusal = { configHash: 'one', message: 'no' };

beforeEach(() => {
  now = 1_000;
});

test('a refusal counts for a while', () => {
  const refused = refusals(() => now);
  refused.add('shop/Deployment/web', refusal);
  now += REFUSAL_MS - 1;
  expect(refused.current('one')).toEqual(new Map([['shop/Deployment/web', 'no']]));
  now += 1;
  expect(refused.current('one').size).toBe(0);
});

test('another configuration is another matter', () => {
  const refused = refusals(() => now);
  refused.add('shop/Deployment/web', refusal);
  expect(refused.current('two').size).toBe(0);
});
