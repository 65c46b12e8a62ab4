import { isObject } from '../../../packages/base/is-object';
import { LINKERD_NETWORK } from '../../api/multus/network-attachment';

/** An annotation with linkerd-cni, or why it cannot be added. */
export type AttachedNetworks = { readonly networks: string } | { readonly problem: string };

/**
 * Adds linkerd-cni to a pod's networks, unless it is one of them. Multus accepts comma-separated
 * `[namespace/]name[@interface]`, or a JSON list of objects with these keys, and distinguishes the two by the
 * characters `[`, `{` and `"`.
 *
 * @param networks value of `k8s.v1.cni.cncf.io/networks`
 * @param namespace of the pod: the default for networks
 */
export function withLinkerdNetwork(networks: string | undefined, namespace: string): AttachedNetworks {
  if (networks === undefined || networks.trim() === '') return { networks: LINKERD_NETWORK };
  return /[[{"]/.test(networks) ? inJson(networks, namespace) : inText(networks, namespace);
}

function inText(text: string, namespace: string): AttachedNetworks {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const isThere = items.some((item) => {
    const [network] = item.split('@');
    return network === LINKERD_NETWORK || network === `${namespace}/${LINKERD_NETWORK}`;
  });
  return { networks: isThere ? text : [...items, LINKERD_NETWORK].join(',') };
}

interface NetworkSelection {
  readonly name?: unknown;
  readonly namespace?: unknown;
}

function inJson(text: string, namespace: string): AttachedNetworks {
  const list = parseList(text);
  if (list === undefined) return { problem: 'is neither a list of networks by comma nor a JSON list of objects' };
  const isThere = list.some(
    (network) => network.name === LINKERD_NETWORK && (network.namespace || namespace) === namespace,
  );
  return { networks: isThere ? text : JSON.stringify([...list, { name: LINKERD_NETWORK }]) };
}

function parseList(text: string): readonly NetworkSelection[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isSelection) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isSelection(item: unknown): item is NetworkSelection {
  return isObject(item);
}
