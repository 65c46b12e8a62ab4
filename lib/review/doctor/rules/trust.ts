import { MINUTE } from '../../../../operator/api/time-units';
import { IDENTITY_ISSUER } from '../../../../operator/api/trust-anchor';
import { timeText } from '../../status/finding';
import { itemsOf } from '../../status/observation';
import { certificatesIn, endOf } from '../../status/x509';
import { type DoctorLook, doctorFinding, type Fact, subjects } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { allRootsOf, workloadOfPod } from '../mesh';

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

/** An Event says so, unless all pods of identity have started since. */
function checkTakenUp({ seen, mesh, now, kubectl }: DoctorLook): readonly Fact[] {
  const pods = (itemsOf(seen.pods) ?? []).filter((pod) => workloadOfPod(pod) === mesh.identity && !pod.isOver);
  const skipped = (itemsOf(seen.events) ?? []).find(
    ({ namespace, reason, last = 0 }) =>
      namespace === mesh.namespace &&
      reason === 'IssuerUpdateSkipped' &&
      pods.some(({ created = 0 }) => created < last),
  );
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

/** The time between two requests of a proxy without a certificate is far below this. */
const REQUESTING = 10 * MINUTE;

/** Identity says for each request that it does not sign it. */
function checkRefused({ seen, mesh, now, kubectl }: DoctorLook): readonly Fact[] {
  const refused = (itemsOf(seen.events) ?? []).find(
    ({ namespace, reason, last = 0 }) =>
      namespace === mesh.namespace && reason === 'IssuerValidationFailed' && now - last < REQUESTING,
  );
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
