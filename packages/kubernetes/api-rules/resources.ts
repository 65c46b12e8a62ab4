import { isLabelKey } from '../names';
import type { RuleTable } from './check';
import {
  all,
  type Check,
  type Fields,
  type Findings,
  forbidden,
  invalid,
  invalidKey,
  object,
  objectIn,
  own,
  required,
} from './check';
import { quantityIn } from './scalars';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** k8s.io/kubernetes/pkg/apis/core/validation, validateContainerResourceName. */
function isContainerResource(name: string): boolean {
  if (!isLabelKey(name)) return false;
  if (!name.includes('/')) return STANDARD.has(name) || isHugePages(name);
  return isNative(name) || (!name.startsWith('requests.') && isLabelKey(`requests.${name}`));
}

function checkAmount(name: string, value: unknown, findings: Findings, isKnown: (name: string) => boolean): void {
  if (!isKnown(name)) {
    findings.refuse(invalidKey('container-resource'), name);
    return;
  }
  const amount = quantityIn(value) ?? 0;
  if (amount < 0) {
    findings.refuse(invalid(value, 'quantity-negative'), name);
  }
  if (!isNative(name) && !Number.isInteger(amount)) {
    findings.refuse(invalid(value, 'whole-units'), name);
  }
  const page = isHugePages(name) ? quantityIn(name.slice('hugepages-'.length)) : undefined;
  if (isHugePages(name) && (page === undefined || page <= 0 || amount % page !== 0)) {
    findings.refuse(invalid(value, 'page-size'), name);
  }
}

function resources(isKnown: (name: string) => boolean): Check {
  return object((requirements, findings) => {
    const limits = objectIn(requirements, 'limits');
    const requests = objectIn(requirements, 'requests');
    for (const [name, value] of Object.entries(limits)) {
      findings.at('limits', limits, () => checkAmount(name, value, findings, isKnown));
    }
    for (const [name, value] of Object.entries(requests)) {
      findings.at('requests', requests, () => {
        checkAmount(name, value, findings, isKnown);
        checkRequest(name, value, limits, findings);
      });
    }
    const names = new Set([...Object.keys(limits), ...Object.keys(requests)]);
    if ([...names].some(isHugePages) && !names.has('cpu') && !names.has('memory')) {
      findings.refuseWhole(required('cpu or memory', 'huge-pages'));
    }
  });
}

function checkRequest(name: string, value: unknown, limits: Fields, findings: Findings): void {
  const limit = own(limits, name);
  const request = quantityIn(value);
  const most = quantityIn(limit);
  const isFixed = !isNative(name) || isHugePages(name);
  if (isFixed && limit === undefined) {
    findings.refuse(invalid(value, 'limit-missing'), name);
  }
  if (request === undefined || most === undefined) return;
  if (isFixed && request !== most) {
    findings.refuse(invalid(value, 'limit-differs', { limit: String(limit) }), name);
  } else if (request > most) {
    findings.refuse(invalid(value, 'limit-exceeded', { limit: String(limit) }), name);
  }
}

/** Requests and limits of a container. */
export const containerResources = resources(isContainerResource);

/** Resources that can be set for a pod as a whole. */
export const podResources = all(
  resources((name) => name === 'cpu' || name === 'memory' || isHugePages(name)),
  object((value, findings) => {
    if (own(value, 'claims') !== undefined) {
      findings.refuse(forbidden('of-containers'), 'claims');
    }
  }),
);

/** Rules of the resources that containers and pods request. */
export const RESOURCE_RULES: RuleTable = {
  ResourceRequirements: containerResources,
};
