import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { Lease } from '#controller-runtime/election/lease';
import { createLeaseClaim } from '#controller-runtime/election/lease-claim';
import { memoryLog } from '#test/support/controller-runtime/memory-log';

/** A claim to a lease with this holder, and the holders that it writes. */
function claimed(holderIdentity: string) {
  const written: (string | undefined)[] = [];
  const lease: Lease = {
    metadata: { namespace: 'ns', name: 'lease' },
    spec: { holderIdentity, leaseDurationSeconds: 15 },
  };
  const client = {
    get: async () => lease,
    update: async (_resource: unknown, { spec }: Lease) => {
      written.push(spec?.holderIdentity);
      return lease;
    },
  } as unknown as KubeClient;
  const options = { namespace: 'ns', name: 'lease', identity: 'own', leaseMs: 15_000, timeoutMs: 1_000 };
  return { claim: createLeaseClaim({ ...options, client, log: memoryLog().log }), written };
}

test('a process releases its own lease, but not the lease of another process', async () => {
  const own = claimed('own');
  await own.claim.release();
  expect(own.written).toEqual(['']);
  const taken = claimed('other');
  await taken.claim.release();
  expect(taken.written).toEqual([]);
});
