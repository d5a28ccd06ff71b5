import type { Money } from '../money.ts';

/** The course of the sum of results from 0: its value, highest, lowest and deepest fall. */
export type ResultCourse = { result: Money; high: Money; low: Money; maximalFall: Money };

export const noCourse = (): ResultCourse => ({ result: 0, high: 0, low: 0, maximalFall: 0 });

export function moveResult(course: ResultCourse, result: Money): void {
  course.result += result;
  course.high = Math.max(course.high, course.result);
  course.low = Math.min(course.low, course.result);
  course.maximalFall = Math.max(course.maximalFall, course.high - course.result);
}

/** Joins the course of results and of later ones. */
export const joinCourses = (a: ResultCourse, b: ResultCourse): ResultCourse => ({
  result: a.result + b.result,
  high: Math.max(a.high, a.result + b.high),
  low: Math.min(a.low, a.result + b.low),
  maximalFall: Math.max(a.maximalFall, b.maximalFall, a.high - a.result - b.low),
});
