; The new code has locations where it must: a call of the function's scope in a function with debug info. The sites
; tell line and column, and the chain of inlined frames.
; RUN: %opt -passes='hcct,verify' -S %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"

declare void @other()

define void @outer() !dbg !4 {
  call void @other(), !dbg !8
  ret void, !dbg !9
}

; CHECK-DAG: @hcct.text.inner = private unnamed_addr constant [6 x i8] c"inner\00"
; CHECK-DAG: @"hcct.text./folder/file.c" = private
; One scope, with the inlined frame and its file. Behind the site: one scope; the site has it, and no step and no discriminator; line 30 is 60 in zigzag, "<"; column 3.
; CHECK-DAG: @hcct.sites = private constant {{.*}}[i32 0, i32 trunc (i64 sub (i64 ptrtoint (ptr @hcct.inlined{{.*}}, [4 x i8] c"\01\08<\03" }
; It was inlined into the function itself, in the file of that.
; CHECK-DAG: @hcct.inlined{{.*}} = private constant {{.*}}@hcct.subprogram{{.*}}, i32 0, i32 0, i32 12, i32 5]
; Its linkage name is the source name.
; CHECK-DAG: @hcct.subprogram{{.*}} = private constant [4 x i32] [i32 0, {{.*}}@hcct.text.inner {{.*}}, i32 29]
; CHECK-LABEL: define void @outer()
; CHECK: call preserve_mostcc void @__hcct_enter_or_miss({{.*}}), !dbg

declare i32 @gives()
declare i32 @__gxx_personality_v0(...)
declare void @llvm.dbg.value(metadata, metadata, metadata)

; The results of both copies of the invoke meet in front of what tells the debugger about them.
define void @keeps_variable() personality ptr @__gxx_personality_v0 !dbg !10 {
  %result = invoke i32 @gives() to label %done unwind label %pad, !dbg !11
done:
  call void @llvm.dbg.value(metadata i32 %result, metadata !12, metadata !DIExpression()), !dbg !11
  call void @other(), !dbg !11
  ret void, !dbg !11
pad:
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception, !dbg !11
}

; CHECK-LABEL: define void @keeps_variable()
; CHECK: %[[USUAL:.*]] = invoke i32 @gives()
; CHECK-NEXT: to label %[[DONE:.*]] unwind
; CHECK: [[DONE]]:
; CHECK-NEXT: %[[BOTH:.*]] = phi i32 [ %[[USUAL]],
; CHECK: {{dbg_|dbg\.}}value({{.*}}%[[BOTH]],

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "file.c", directory: "/folder")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "outer", scope: !1, file: !1, line: 10, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = distinct !DISubprogram(name: "inner", scope: !1, file: !1, line: 29, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 30, column: 3, scope: !7, inlinedAt: !9)
!9 = !DILocation(line: 12, column: 5, scope: !4)
!10 = distinct !DISubprogram(name: "keeps_variable", scope: !1, file: !1, line: 40, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!11 = !DILocation(line: 41, column: 3, scope: !10)
!12 = !DILocalVariable(name: "result", scope: !10, file: !1, line: 41, type: !13)
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
