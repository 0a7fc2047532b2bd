import type { Shell } from './shell.ts';

/** The words are one argument: PowerShell before 7.3 drops empty ones, and changes quotes in the others. */
const script = `# PowerShell completion for cli
Register-ArgumentCompleter -Native -CommandName cli -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.ToString() }
  }) + @($wordToComplete.Trim("'", '"'))
  $asked = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes(($words -join "\`n")))
  [Console]::OutputEncoding = [Text.Encoding]::UTF8
  & (Get-Command cli -CommandType Application,ExternalScript | Select-Object -First 1) __complete pwsh $asked 2>$null | ForEach-Object {
    $insert, $shown, $about = $_ -split "\`t", 3
    [System.Management.Automation.CompletionResult]::new($insert, $shown, 'ParameterValue', $about)
  }
}
`;

/** Each line is what to insert, quoted, what to show, and a tooltip, which must not be empty. */
export const pwsh: Shell = {
  script,
  read([asked = '']) {
    const words = Buffer.from(asked, 'base64').toString('utf8').split('\n');
    return {
      complete: words.slice(0, -1),
      current: words.at(-1) ?? '',
      write: (candidates) =>
        candidates.map(({ word, about }) => `${quoted(word)}\t${word}\t${about === '' ? word : about}\n`).join(''),
      // Without candidates PowerShell completes names of files.
      files: '',
    };
  },
};

const quoted = (word: string) => (/^[\p{L}\p{N}_.\-/:+=]+$/u.test(word) ? word : `'${word.replaceAll("'", "''")}'`);
