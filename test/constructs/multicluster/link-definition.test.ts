import { checkObject } from '#kubernetes/schemas/schema';
import { linkDefinition } from '#lib/constructs/multicluster/link-definition';
import { fingerprintOf } from '#tools/conformance/canonical';
import { fingerprintFile, readFingerprints } from '#tools/conformance/fingerprint';
import { FINGERPRINTS } from '#tools/conformance/known-renders';

const KEY = 'apiextensions.k8s.io/v1/CustomResourceDefinition//links.multicluster.linkerd.io';

test('all edge releases have the same CRD of Link', () => {
  const groups = ['edge-26.8.3', 'edge-26.7.1', 'edge-26.4.4', 'edge-26.3.3', 'edge-26.3.2', 'edge-26.1.4'];
  const known = groups.map(
    (group) => readFingerprints(fingerprintFile(FINGERPRINTS, 'linkerd-multicluster', group)).base.objects[KEY],
  );
  expect(new Set(known).size).toBe(1);
});

test('the CRD of Link equals that of the chart except for descriptions', () => {
  const { metadata, ...others } = linkDefinition();
  const { name, labels } = metadata;
  expect(fingerprintOf({ ...others, metadata: { name, labels } }, 'edge-26.8.3')).toBe(
    readFingerprints(fingerprintFile(FINGERPRINTS, 'linkerd-multicluster', 'edge-26.8.3')).base.objects[KEY],
  );
});

test('the CRD of Link is valid for API servers', () => expect(checkObject(linkDefinition())).toEqual([]));
