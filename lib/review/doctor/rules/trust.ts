import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { itemsOf } from '../../live/observation';
import { timeText } from '../../status/finding';
import { certificatesIn, endOf, trustRootsIn } from '../../status/x509';
import { lastingEvents } from '../events';
import { type DoctorInput, doctorFact, type Fact } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { allRootsOf } from '../mesh';

/** Checks the trust roots: whether they are written and valid, and whether identity accepts its issuer. */
export function checkTrust(input: DoctorInput): readonly Fact[] {
  return [...checkSync(input), ...checkExpired(input), ...checkTakenUp(input), ...checkRefused(input)];
}

function checkSync({ seen, mesh, kubectl }: DoctorInput): readonly Fact[] {
  return (itemsOf(seen.trustBundles) ?? []).flatMap(({ synced }) => {
    if (synced === undefined || synced.status === 'True') return [];
    const { reason, message, since } = synced;
    const parts = { since, breaks: { sync: 'mesh' }, needs: { workload: mesh.trustManager, anchor: 'mesh' } };
    return doctorFact(DOCTOR_FINDINGS.rootsNotSynced({ reason, message, kubectl }), parts);
  });
}

function checkExpired({ seen, mesh, now }: DoctorInput): readonly Fact[] {
  const ends = certificatesIn(trustRootsIn(mesh.namespace, seen)).map(endOf);
  const end = Math.max(...ends);
  if (ends.length === 0 || end > now) return [];
  return [
    doctorFact(DOCTOR_FINDINGS.rootsExpired({ end: timeText(end) }), {
      since: end,
      breaks: { roots: [mesh.namespace, allRootsOf(mesh)] },
      needs: { sync: 'mesh', workload: [mesh.operator, mesh.trustManager], leader: mesh.operator, anchor: 'mesh' },
    }),
  ];
}

function checkTakenUp(input: DoctorInput): readonly Fact[] {
  const { now, kubectl } = input;
  const [skipped] = lastingEvents('IssuerUpdateSkipped', input);
  if (skipped === undefined) return [];
  const { message, last, namespace } = skipped;
  return [
    doctorFact(DOCTOR_FINDINGS.issuerNotTakenUp({ message, kubectl, namespace }), {
      since: last,
      needs: { roots: namespace, sync: 'mesh' },
      harm: { rank: 0, at: now },
    }),
  ];
}

function checkRefused(input: DoctorInput): readonly Fact[] {
  const { now, kubectl } = input;
  const [refused] = lastingEvents('IssuerValidationFailed', input);
  if (refused === undefined) return [];
  const { message, first, namespace } = refused;
  return [
    doctorFact(DOCTOR_FINDINGS.issuerRefused({ message, kubectl, namespace }), {
      since: first,
      breaks: { issuing: namespace },
      needs: { certificate: `${namespace}/${IDENTITY_ISSUER}`, roots: namespace, sync: 'mesh' },
      harm: { rank: 0, at: now },
    }),
  ];
}
