import type { Catalog } from '../command-spec.ts';
import { completionChoices, completionPoints } from './words.ts';

export function pwshScript(catalog: Catalog): string {
  const points = completionPoints(catalog).map(({ path, words }) => `    '${path}' = '${words.join(' ')}'`);
  const choices = completionChoices(catalog).flatMap(({ path, flags, choices: values }) =>
    flags.map((flag) => `    '${path}:${flag}' = '${values.join(' ')}'`),
  );
  return `# PowerShell completion for cli
Register-ArgumentCompleter -Native -CommandName cli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $points = @{
${points.join('\n')}
  }
  $choices = @{
${choices.join('\n')}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $at = ''
  foreach ($word in $typed) {
    $next = "$at $word".Trim()
    if ($points.ContainsKey($next)) { $at = $next }
  }
  $prev = if ($typed.Count -gt 0) { $typed[-1] } else { '' }
  $words = if ($choices.ContainsKey("\${at}:\${prev}")) { $choices["\${at}:\${prev}"] } else { $points[$at] }
  $words -split ' ' | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`;
}
