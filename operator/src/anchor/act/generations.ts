import type { AskedSigner } from '#anchor/trust-anchor';
import { anchorName, GENERATION_LABEL, TRUST_ANCHOR_LABEL, type TrustAnchorSpec } from '#anchor/trust-anchor';
import { goDurationMs } from '#base/go-duration';
import { MINUTE } from '#base/time-units';
import { SECRETS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import { anchorCertificate } from '#operator/api/anchor-certificate';
import { CERTIFICATES, type Certificate, ISSUERS, type Issuer } from '../../pki/cert-manager';
import { ENDING_ANNOTATION } from '../observe/observe-anchors';
import { type ActionContext, Outdated } from './action-context';
import { renewCertificate } from './mesh-actions';
import { applyOver, deleteObserved } from './writes';

interface WantedAnchor {
  readonly generation: number;
  readonly signer: AskedSigner;
  readonly bundled: boolean;
}

/** Applies a generation's Certificate. A new one starts without leftovers, above all without an old key. */
export async function applyAnchor(wanted: WantedAnchor, context: ActionContext): Promise<void> {
  const over = certificateOf(wanted.generation, context);
  if (over === undefined) await clearName(wanted.generation, context);
  const body = anchorBody(context.anchor.spec, wanted, over);
  await applyOver({ resource: CERTIFICATES, over, body }, context);
}

/** Deletes a Secret that an earlier generation of the same name left: the new one would get its key. */
async function clearName(generation: number, context: ActionContext): Promise<void> {
  const { client, signal, anchor, view, trust, plan } = context;
  const name = anchorName(generation);
  const key = `${anchor.spec.certManagerNamespace}/${name}`;
  const live = await client.get<Certificate>(CERTIFICATES, key, { signal });
  if (live !== undefined) throw new Outdated('the Certificate exists');
  const isNew =
    generation > 0 &&
    trust.anchors.every((other) => other.generation !== generation) &&
    plan.memory.rotation?.to === generation &&
    plan.memory.rotation.key === undefined;
  if (isNew && view.clusterIssuer?.spec.ca?.secretName !== name) await client.delete(SECRETS, key, { signal });
}

/** Creates the Issuer that signs with a generation's key. */
export async function applyIssuer(generation: number, context: ActionContext): Promise<void> {
  const body = issuerBody(context.anchor.spec, generation);
  await applyOver({ resource: ISSUERS, over: issuerOf(generation, context), body }, context);
}

/** Adds a generation that the operator did not create to the bundle, or removes it. */
export async function setBundled(
  { generation, bundled }: Pick<WantedAnchor, 'generation' | 'bundled'>,
  context: ActionContext,
): Promise<void> {
  const labels = { [TRUST_ANCHOR_LABEL]: bundled ? 'current' : null };
  await patchCertificate(generation, { secretTemplate: { labels } }, context);
}

/** Makes a generation that the operator did not create keep its key from now on. */
export async function keepKey(generation: number, context: ActionContext): Promise<void> {
  await patchCertificate(generation, { privateKey: { rotationPolicy: 'Never' } }, context);
}

/** Makes cert-manager renew a generation with its key. */
export async function renewAnchor(generation: number, context: ActionContext): Promise<void> {
  const live = certificateOf(generation, context);
  if (live === undefined) throw new Outdated('there is no Certificate');
  await renewCertificate(live, 'The operator requested a renewal of the anchor with the same key', context);
}

async function patchCertificate(
  generation: number,
  spec: Readonly<Record<string, unknown>>,
  context: ActionContext,
): Promise<void> {
  const { client, signal, anchor } = context;
  const live = certificateOf(generation, context);
  if (live === undefined) throw new Outdated('there is no Certificate');
  const key = `${anchor.spec.certManagerNamespace}/${anchorName(generation)}`;
  const body = { metadata: { resourceVersion: live.metadata.resourceVersion }, spec };
  await client.patch(CERTIFICATES, key, { type: 'merge', body }, { signal });
}

/**
 * Deletes a generation: its Certificate, its Secret with the key, and last its Issuer. The Issuer, marked as ending,
 * shows that an interrupted deletion may have left the key.
 */
export async function deleteAnchor(generation: number, context: ActionContext): Promise<void> {
  const { client, signal, anchor, view } = context;
  const name = anchorName(generation);
  const key = `${anchor.spec.certManagerNamespace}/${name}`;
  const live = certificateOf(generation, context);
  if (view.clusterIssuer?.spec.ca?.secretName === name) throw new Outdated('it signs the identity issuer');
  const body = issuerBody(anchor.spec, generation, { [ENDING_ANNOTATION]: 'true' });
  const ending = await applyOver({ resource: ISSUERS, over: issuerOf(generation, context), body }, context);
  if (live !== undefined) await deleteObserved(CERTIFICATES, live, context);
  await client.delete(SECRETS, key, { signal });
  await deleteObserved(ISSUERS, ending, context);
}

function issuerOf(generation: number, { view }: ActionContext): Issuer | undefined {
  return view.issuers.find(({ metadata }) => metadata.name === anchorName(generation));
}

function certificateOf(generation: number, { view }: ActionContext): Certificate | undefined {
  return view.certificates.find(({ metadata }) => metadata.name === anchorName(generation));
}

/** cert-manager's minimum renewBefore. As renewals keep the key, anchors are renewed as late as possible. */
const RENEW_BEFORE_MS = 5 * MINUTE;

/** Anchors that live for minutes are renewed when a third of their life is left. */
const SHARE = 3;

/**
 * Returns the Certificate of a generation. An existing one keeps the fields that would make cert-manager reissue it,
 * whatever the spec says now.
 */
export function anchorBody(
  spec: TrustAnchorSpec,
  wanted: { readonly generation: number; readonly signer: AskedSigner; readonly bundled: boolean },
  live: Certificate | undefined,
): KubeObject {
  const duration = live?.spec.duration ?? spec.duration;
  const made = anchorCertificate({ ...spec, duration }, { ...wanted, renewBefore: renewBefore(duration) });
  if (live === undefined) return made;
  const { commonName = made.spec.commonName, privateKey } = live.spec;
  const { algorithm = made.spec.privateKey.algorithm, size = made.spec.privateKey.size } = privateKey ?? {};
  return {
    ...made,
    spec: { ...made.spec, commonName, privateKey: { ...made.spec.privateKey, algorithm, size } },
  } as KubeObject;
}

function renewBefore(duration: string): string {
  const ms = goDurationMs(duration) ?? 0;
  return ms > SHARE * RENEW_BEFORE_MS ? '5m' : `${Math.max(1, Math.floor(ms / SHARE / 1_000))}s`;
}

function issuerBody(
  { certManagerNamespace: namespace }: TrustAnchorSpec,
  generation: number,
  annotations?: Readonly<Record<string, string>>,
): Issuer {
  const name = anchorName(generation);
  const labels = { 'app.kubernetes.io/part-of': 'Linkerd', [GENERATION_LABEL]: `${generation}` };
  return {
    metadata: { name, namespace, labels, ...(annotations && { annotations }) },
    spec: { ca: { secretName: name } },
  };
}
