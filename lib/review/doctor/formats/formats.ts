/** The output formats of `cdk8s-linkerd doctor`. */
export const DOCTOR_FORMATS = ['text', 'json'] as const;
export type DoctorFormat = (typeof DOCTOR_FORMATS)[number];
