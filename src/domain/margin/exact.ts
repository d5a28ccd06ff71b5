const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * An exact rational number. Margin formulas divide by leverage and by exchange rates, and must be
 * right to the last digit that is printed, so nothing is rounded before `roundedUnits`.
 */
export class Exact {
  static readonly ZERO = new Exact(0n, 1n);
  static readonly ONE = new Exact(1n, 1n);

  readonly #numerator: bigint;
  /** Always positive. */
  readonly #denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.#numerator = numerator;
    this.#denominator = denominator;
  }

  /** The decimal that the double prints as: 1.1 is 11/10. Throws RangeError if not finite. */
  static of(value: number): Exact {
    const match = NUMBER.exec(String(value));
    if (!match) throw new RangeError(`${value} is not a finite number`);
    const [, sign = '', whole = '', decimals = '', exponent = '0'] = match;
    const digits = BigInt(sign + whole + decimals);
    const scale = Number(exponent) - decimals.length;
    const power = 10n ** BigInt(Math.abs(scale));
    return scale < 0 ? new Exact(digits, power) : new Exact(digits * power, 1n);
  }

  /** A whole number of 10^-digits. */
  static ofUnits(units: bigint, digits: number): Exact {
    return new Exact(units, 10n ** BigInt(digits));
  }

  plus(other: Exact): Exact {
    const [a, b] = [this.#denominator, other.#denominator];
    // Decimals share powers of ten: widening to the larger keeps long sums short.
    if (b % a === 0n) return new Exact(this.#numerator * (b / a) + other.#numerator, b);
    if (a % b === 0n) return new Exact(this.#numerator + other.#numerator * (a / b), a);
    return new Exact(this.#numerator * b + other.#numerator * a, a * b);
  }

  /** Adds halves pairwise, which keeps quotients without a common divisor short longest. */
  static sum(values: readonly Exact[]): Exact {
    const [first = Exact.ZERO] = values;
    if (values.length <= 1) return first;
    const middle = values.length >> 1;
    return Exact.sum(values.slice(0, middle)).plus(Exact.sum(values.slice(middle)));
  }

  minus(other: Exact): Exact {
    return this.plus(new Exact(-other.#numerator, other.#denominator));
  }

  times(other: Exact): Exact {
    return new Exact(this.#numerator * other.#numerator, this.#denominator * other.#denominator);
  }

  /** Throws RangeError on division by zero. */
  over(other: Exact): Exact {
    if (other.#numerator === 0n) throw new RangeError('Division by zero');
    const sign = other.#numerator < 0n ? -1n : 1n;
    return new Exact(
      this.#numerator * other.#denominator * sign,
      this.#denominator * other.#numerator * sign,
    );
  }

  get isZero(): boolean {
    return this.#numerator === 0n;
  }

  /** The nearest double, for what is only shown. */
  toNumber(): number {
    return Number(this.#numerator) / Number(this.#denominator);
  }

  /** −1, 0 or 1. */
  compare(other: Exact): number {
    const left = this.#numerator * other.#denominator;
    const right = other.#numerator * this.#denominator;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** The nearest whole number of 10^-digits, halves away from zero. */
  roundedUnits(digits: number): bigint {
    const magnitude = this.#numerator < 0n ? -this.#numerator : this.#numerator;
    const scaled = magnitude * 10n ** BigInt(digits);
    const units = (2n * scaled + this.#denominator) / (2n * this.#denominator);
    return this.#numerator < 0n ? -units : units;
  }
}
