export const PLATFORMS = [
  { value: 'p5', title: 'p5' },
  { value: 'p4', title: 'p4' },
] as const;
