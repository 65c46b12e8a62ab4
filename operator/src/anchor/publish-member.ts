import type { MemberReport } from '#anchor/plan';
import { anchorName, MEMBER_CONFIG_MAP, MEMBER_LABEL } from '#anchor/trust-anchor';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import { lockedTo } from '#controller-runtime/objects/kube-object';
import { kubeTime } from '#controller-runtime/objects/kube-time';
import { requestToAnswer } from '../pki/issuances';
import { knownRequest } from '../pki/known-certificate';
import type { ActionContext } from './act/action-context';
import { checkLead } from './act/fence';
import { rootPem } from './act/mesh-actions';
import type { ConfigMap } from './objects/trust-anchor';
import { memberData } from './observe/members';
import type { TrustView } from './observe/observe';
import { certificationOf, certificationPem } from './observe/observe-certifications';
import { nextVersion, VERSION } from './report-version';

/**
 * Publishes this cluster's report for the clusters that share the anchor. A user or a tool copies it to them. The first
 * report of a new leader gets a new version even without a change, because the last one may come from a backup.
 */
export async function publishMember(context: ActionContext, memory: { isPublished?: boolean }): Promise<void> {
  const { client, signal, anchor, view, known, plan, clock } = context;
  const { cluster, certManagerNamespace: namespace } = anchor.spec;
  if (cluster === undefined || plan.report === undefined) return;
  const data: Readonly<Record<string, string>> = memberData(
    cluster,
    plan.report,
    (key) => rootPem(key, known),
    certificatesOf(plan.report, view),
  );
  const before = view.configMaps.find(({ metadata }) => metadata.name === MEMBER_CONFIG_MAP);
  const { updated: _, [VERSION]: version, ...published } = before?.data ?? {};
  const isSame = [...Object.keys(data), ...Object.keys(published)].every((key) => published[key] === data[key]);
  if (isSame && memory.isPublished) return;
  await checkLead(context);
  const now = clock();
  const configMap: ConfigMap = {
    metadata: {
      name: MEMBER_CONFIG_MAP,
      namespace,
      labels: { 'app.kubernetes.io/part-of': 'Linkerd', [MEMBER_LABEL]: 'this-cluster' },
    },
    data: { ...data, updated: kubeTime(now), [VERSION]: nextVersion(version, now.getTime()) },
  };
  const locked = before === undefined ? configMap : lockedTo(before, configMap);
  await client.apply(CONFIG_MAPS, locked, { force: true, signal });
  memory.isPublished = true;
}

function certificatesOf({ asks, answers = [] }: MemberReport, { certificates, requests }: TrustView) {
  const certificate = certificates.find(({ metadata }) => asks !== undefined && metadata.name === anchorName(asks));
  const { request = '' } = (certificate && requestToAnswer(certificate, requests))?.spec ?? {};
  const pem = knownRequest(Buffer.from(request, 'base64').toString())?.pem;
  const given = answers.flatMap((name) => {
    const made = certificationOf(name, requests);
    return made === undefined ? [] : [[name, certificationPem(made)] as const];
  });
  return { ...(pem !== undefined && { request: pem }), answers: Object.fromEntries(given) };
}
