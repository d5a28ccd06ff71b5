/** Language of a report by its heading for time, ISO 639-1. */
export function languageOf(timeHeading: string | undefined): string | undefined {
  const words: Record<string, string> = {
    Time: 'en',
    'Open Time': 'en',
    Heure: 'fr',
    Время: 'ru',
    Zeit: 'de',
    Hora: 'es',
    Fecha: 'es',
    Horário: 'pt',
    Ora: 'it',
    Време: 'bg',
    Час: 'uk',
    時間: 'ja',
    时间: 'zh',
    時間点: 'ja',
    시간: 'ko',
    Zaman: 'tr',
    Czas: 'pl',
    Čas: 'cs',
  };
  return timeHeading === undefined ? undefined : words[timeHeading];
}
