# Makes one image of native code: cmake -DPTXAS=PROGRAM -DARCHITECTURE=NUMBER -DTEXT=FILE -DIMAGE=FILE -P native_image.cmake.
# Leaves what ptxas says of the registers and the memory that the kernel takes beside the image, as IMAGE.txt.
execute_process(COMMAND ${PTXAS} -v -arch=sm_${ARCHITECTURE} ${TEXT} -o ${IMAGE}
                RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PTXAS} does not compile ${TEXT} for sm_${ARCHITECTURE}:\n${said}")
endif()
if(said MATCHES "warning")
  message(WARNING "${PTXAS} says of ${TEXT} for sm_${ARCHITECTURE}:\n${said}")
endif()
file(WRITE ${IMAGE}.txt "${said}")
