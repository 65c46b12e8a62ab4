/** The formats of the causes of what is wrong. */
export const DOCTOR_FORMATS = ['text', 'json'] as const;
export type DoctorFormat = (typeof DOCTOR_FORMATS)[number];
