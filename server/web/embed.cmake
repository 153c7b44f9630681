# cmake -DOUT=FILE.cpp -DFOLDER=... -P embed.cmake: the files of the pages as string literals.
set(text "// Made from server/web/page/ by server/web/embed.cmake.\n#include \"server/web/page_files.h\"\n\n")
string(APPEND text "namespace ludens::server {\n\n")
foreach(entry kPageStyle:page.css kViewerScript:viewer.js kReportScript:report.js
              kTournamentScript:tournament.js kLiveScript:live.js)
  string(REPLACE ":" ";" entry ${entry})
  list(GET entry 0 name)
  list(GET entry 1 file)
  file(READ ${FOLDER}/${file} content)
  string(APPEND text "const std::string_view ${name} = R\"~~~~(${content})~~~~\";\n")
endforeach()
string(APPEND text "\n}  // namespace ludens::server\n")
file(WRITE ${OUT} "${text}")
