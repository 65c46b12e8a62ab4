import type { Problem } from '#base/findings/problem';
import { quantityOf } from '#base/quantity';
import { PROXY_VALUE_FINDINGS } from './findings';

/** The amount of a resource that is reserved for a container, and its limit. */
export type ResourceRange = {
  /**
   * A Kubernetes quantity. At most `limit`.
   *
   * @default - the chart's, or the mesh's
   */
  readonly request?: string;

  /**
   * A Kubernetes quantity.
   *
   * @default - the chart's, or the mesh's
   */
  readonly limit?: string;
};

/**
 * Reports an amount that Kubernetes would refuse in a pod, or the proxy injector would ignore.
 *
 * @param whole whether the resource is counted in whole units (bytes), of which a quantity must not be a fraction
 */
export function checkAmount(field: string, amount: ResourceRange, whole: boolean): readonly Problem[] {
  const { request, limit } = amount;
  const problems = [
    ...(request === undefined ? [] : checkQuantity(`${field}.request`, request, whole)),
    ...(limit === undefined ? [] : checkQuantity(`${field}.limit`, limit, whole)),
  ];
  const least = request === undefined ? undefined : quantityOf(request);
  const most = limit === undefined ? undefined : quantityOf(limit);
  if (least !== undefined && most !== undefined && least > most) {
    problems.push(
      PROXY_VALUE_FINDINGS.requestOverLimit(
        { field, request: `${request}`, limit: `${limit}` },
        { about: `${field}.request` },
      ),
    );
  }
  return problems;
}

/** Reports a quantity that Kubernetes would refuse in a pod: see `checkAmount`. */
export function checkQuantity(field: string, text: string, whole: boolean): readonly Problem[] {
  const value = quantityOf(text);
  const details = { about: field };
  if (value === undefined || value < 0) {
    const example = whole ? '250Mi' : '100m';
    return [PROXY_VALUE_FINDINGS.quantityRefusedInvalid({ field, quantity: text, example }, details)];
  }
  if (!whole || Number.isInteger(value)) return [];
  return [PROXY_VALUE_FINDINGS.quantityRefusedFraction({ field, quantity: text, bytes: value }, details)];
}
