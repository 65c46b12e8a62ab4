import type { ObservedTrust, PodGroup } from '#anchor/observed';
import { bridgeDeadline, givesUpBridge } from '#anchor/rotation/bridged';
import { timeToSign } from '#anchor/rotation-target';
import { DAY } from '#base/time-units';
import { bundleOf, memory, observed, POLICY } from '../fixture';

const END = 100 * DAY;
const BEGAN = 60 * DAY;
const POLICY_OF_DAYS = { ...POLICY, duration: 100 * DAY, restartTime: 600_000, bridgeSigner: 'request' as const };

/** An anchor with an external key, and this number of workloads. */
function elsewhere(workloads: number): ObservedTrust {
  const { anchors } = bundleOf('A');
  const pods = Array.from(
    { length: workloads },
    (_, at): PodGroup => ({ workload: `a/Deployment/${at}`, pods: 1, since: 0, hash: 'A', restartable: true }),
  );
  return observed({
    policy: POLICY_OF_DAYS,
    anchors: [],
    bundle: { hash: 'A', anchors: anchors.map((one) => ({ ...one, notAfter: END })) },
    memory: memory(),
    signer: 'other',
    pods,
  });
}

const rotation = { from: 'A', to: 1, began: BEGAN, why: 'test' };

test('workloads that appear after the rotation began do not shorten the time to sign', () => {
  const seen = elsewhere(20_000);
  expect(bridgeDeadline(seen, rotation)).toBe(BEGAN + timeToSign(POLICY_OF_DAYS));
  expect(givesUpBridge(seen, rotation, BEGAN + 6 * DAY)).toBe(false);
  expect(givesUpBridge(seen, rotation, BEGAN + 7 * DAY)).toBe(true);
});

test('a rotation that begins near the expiry of the anchor leaves no more time to sign than remains', () => {
  const deadline = bridgeDeadline(elsewhere(20_000), { ...rotation, began: END - DAY });
  expect(deadline).toBeLessThan(END);
  expect(deadline).toBe(bridgeDeadline(elsewhere(0), rotation));
});
