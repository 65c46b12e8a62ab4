import { IDENTITY_ISSUER } from '../../../../packages/anchor/trust-anchor';
import { timeText } from '../../status/finding';
import { itemsOf } from '../../status/observation';
import { certificatesIn, endOf } from '../../status/x509';
import { lastingEvents } from '../events';
import { type DoctorLook, doctorFinding, type Fact, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { allRootsOf } from '../mesh';

/** Checks the trust roots: who writes them, whether one is left, and whether identity knows them. */
export function checkTrust(look: DoctorLook): readonly Fact[] {
  return [...checkSync(look), ...checkExpired(look), ...checkTakenUp(look), ...checkRefused(look)];
}

function checkSync({ seen, mesh, kubectl }: DoctorLook): readonly Fact[] {
  return (itemsOf(seen.trustBundles) ?? []).flatMap(({ synced }) => {
    if (synced === undefined || synced.status === 'True') return [];
    const { reason, message, since } = synced;
    return [
      {
        ...doctorFinding(DOCTOR_FINDINGS.rootsNotSynced({ reason, message, kubectl }), since),
        breaks: subjects('sync', 'mesh'),
        needs: [...subjects('workload', mesh.trustManager), ...subjects('anchor', 'mesh')],
      },
    ];
  });
}

function checkExpired({ seen, mesh, now }: DoctorLook): readonly Fact[] {
  const roots = itemsOf(seen.bundles)?.find(({ namespace }) => namespace === mesh.namespace)?.roots;
  const ends = certificatesIn(roots ?? '').map(endOf);
  const end = Math.max(...ends);
  if (ends.length === 0 || end > now) return [];
  return [
    {
      ...doctorFinding(DOCTOR_FINDINGS.rootsExpired({ end: timeText(end) }), end),
      breaks: subjects('roots', mesh.namespace, allRootsOf(mesh)),
      needs: [
        ...subjects('sync', 'mesh'),
        ...subjects('workload', mesh.operator, mesh.trustManager),
        ...subjects('leader', mesh.operator),
        ...subjects('anchor', 'mesh'),
      ],
    },
  ];
}

function checkTakenUp(look: DoctorLook): readonly Fact[] {
  const { now, kubectl } = look;
  const [skipped] = lastingEvents('IssuerUpdateSkipped', look);
  if (skipped === undefined) return [];
  const { message, last, namespace } = skipped;
  return [
    {
      ...doctorFinding(DOCTOR_FINDINGS.issuerNotTakenUp({ message, kubectl, namespace }), last),
      breaks: [],
      needs: [...subjects('roots', namespace), ...subjects('sync', 'mesh')],
      harm: { rank: 0, at: now },
    },
  ];
}

/** Identity says for each request that it does not sign it. */
function checkRefused(look: DoctorLook): readonly Fact[] {
  const { now, kubectl } = look;
  const [refused] = lastingEvents('IssuerValidationFailed', look);
  if (refused === undefined) return [];
  const { message, first, namespace } = refused;
  return [
    {
      ...doctorFinding(DOCTOR_FINDINGS.issuerRefused({ message, kubectl, namespace }), first),
      breaks: subjects('issuing', namespace),
      needs: [
        ...subjects('certificate', `${namespace}/${IDENTITY_ISSUER}`),
        ...subjects('roots', namespace),
        ...subjects('sync', 'mesh'),
      ],
      harm: { rank: 0, at: now },
    },
  ];
}
