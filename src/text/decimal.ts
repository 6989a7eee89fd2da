/** A decimal number as people write it; undefined for anything else, such as `0x10` or `1e1`. */
export function parseDecimal(text: string): number | undefined {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : undefined;
}

export interface NumberLimits {
  readonly min: number;
  readonly max: number;
  /** Fractions are refused. */
  readonly whole: boolean;
}

export function isWithin(value: number, { min, max, whole }: NumberLimits): boolean {
  return value >= min && value <= max && (!whole || Number.isInteger(value));
}
